/**
 * Lines of the processes' logs on their way to a collector: a capped stream that exists only while somebody wants it.
 * A log must never hold up the work it tells of: lines wait in memory for a moment, and are dropped where they can't
 * be passed on.
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
  /** Asked for each line. */
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

/** The lines as objects, in the order in which they came. */
export function consumeLogs(
  redis: Redis,
  group: string,
  handler: (lines: Record<string, unknown>[]) => Promise<void>,
  options: ConsumeOptions,
): AuditConsumer {
  return consumeStream(redis, { stream: LOG_STREAM, group }, handler, options);
}
