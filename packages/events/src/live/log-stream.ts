/**
 * Forwards log lines of all processes to the syslog collector over a capped stream, which exists
 * only while forwarding is enabled. Logging must not delay work: lines wait in memory briefly and
 * are dropped where they can't be sent.
 */
import type { LogTap, Part, Redis } from '@portcullis/runtime';
import { type AuditConsumer, type ConsumeOptions, consumeStream } from '../stream/consume.ts';

export const LOG_STREAM = 'portcullis:logs';
const LONGEST_STREAM = 10_000;
const MOST_WAITING = 2_000;
const LONGEST_LINE = 16_384;
const FLUSH_MS = 100;

export interface LogForwardingPorts {
  redis: Redis;
  tap: LogTap;
  /** Checked for each line. */
  wanted(): boolean;
}

export function forwardLogs({ redis, tap, wanted }: LogForwardingPorts): Part {
  let waiting: string[] = [];
  let flushing = false;
  let timer: NodeJS.Timeout | undefined;

  function take(line: string): void {
    if (!wanted() || waiting.length >= MOST_WAITING || line.length > LONGEST_LINE) return;
    waiting.push(line);
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  async function flush(): Promise<void> {
    timer = undefined;
    if (flushing || waiting.length === 0) return;
    flushing = true;
    const lines = waiting;
    waiting = [];
    const pipeline = redis.pipeline();
    for (const line of lines)
      pipeline.xadd(LOG_STREAM, 'MAXLEN', '~', LONGEST_STREAM, '*', 'e', line);
    await pipeline.exec().catch(() => null);
    flushing = false;
    if (waiting.length > 0) timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  return {
    start: () => tap.attach(take),
    async stop() {
      tap.attach(null);
      clearTimeout(timer);
      if (redis.status === 'ready') await flush();
    },
  };
}

/** Parsed lines, in order of arrival. */
export function consumeLogs(
  redis: Redis,
  group: string,
  handler: (lines: Record<string, unknown>[]) => Promise<void>,
  options: ConsumeOptions,
): AuditConsumer {
  return consumeStream(redis, { stream: LOG_STREAM, group }, handler, options);
}
