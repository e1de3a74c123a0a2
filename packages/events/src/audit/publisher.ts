/**
 * Publishes events on the audit stream in the order of the calls. Those that arrive while others
 * are on their way are sent together, in one command.
 */

import type { AuditEvent } from '@portcullis/domain';
import { type Redis, withRedis } from '@portcullis/runtime';
import { AUDIT_CEILING, AUDIT_STREAM, publish } from './audit-stream.ts';

const MOST_AT_ONCE = 200;

const APPEND = `
  for n = 2, #ARGV do
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[n])
  end`;

interface Waiting {
  event: AuditEvent;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The event is on the stream when the promise of the returned function resolves; it rejects with
 * unavailable `EVENTS_UNAVAILABLE`.
 */
export function createPublisher(redis: Redis): (event: AuditEvent) => Promise<void> {
  const waiting: Waiting[] = [];
  let isSending = false;

  async function send(batch: readonly Waiting[]): Promise<void> {
    const [first, ...more] = batch;
    if (first && more.length === 0) return publish(redis, first.event);
    const texts = batch.map(({ event }) => JSON.stringify(event));
    await withRedis('EVENTS_UNAVAILABLE', () =>
      redis.eval(APPEND, 1, AUDIT_STREAM, AUDIT_CEILING, ...texts),
    );
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_AT_ONCE);
      try {
        await send(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // Some may be on the stream: their callers store them, and the archive has each once.
        for (const { reject } of batch) reject(error);
      }
    }
    isSending = false;
  }

  return (event) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ event, resolve, reject });
    if (!isSending) void sendAll();
    return promise;
  };
}
