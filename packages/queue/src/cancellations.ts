/** Tells workers which jobs were cancelled. */
import { duplicateForBlocking, type Redis, withRedis } from '@portcullis/runtime';
import { cancelled } from './abort.ts';
import type { Running } from './running.ts';

export interface Cancellations {
  publish(jobId: string): Promise<void>;
  /** Aborts cancelled jobs of this consumer until the returned function is called. */
  watch(running: Running): () => void;
  close(): void;
}

/**
 * Cancellations over a Redis channel. Messages may be lost during a reconnect; a worker also reads
 * `cancelRequested` of the row whenever it renews its lease.
 */
export function createCancellations(redis: Redis, prefix: string): Cancellations {
  const channel = `${prefix}:cancel`;
  const watched = new Set<Running>();
  let subscriber: Redis | null = null;

  function subscribe(): Redis {
    const connection = duplicateForBlocking(redis);
    connection.on('message', (_channel: string, jobId: string) => {
      for (const running of watched) running.abort(jobId, cancelled());
    });
    // ioredis renews the subscription after a reconnect.
    connection.subscribe(channel).catch(() => {});
    return connection;
  }

  return {
    async publish(jobId) {
      await withRedis('QUEUE_UNAVAILABLE', () => redis.publish(channel, jobId));
    },
    watch(running) {
      subscriber ??= subscribe();
      watched.add(running);
      return () => watched.delete(running);
    },
    close() {
      subscriber?.disconnect();
      subscriber = null;
    },
  };
}
