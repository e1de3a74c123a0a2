import { unavailable } from '@portcullis/errors';
import { type Redis, withRedis } from '@portcullis/runtime';
import { Queue } from 'bullmq';
import type { QueueName } from './names.ts';

/** Data of a queue entry: the id of a job, or the fields of a task. */
export type QueueEntry = Record<string, unknown>;

/**
 * Finished and failed entries are removed, because a kept one would swallow a later entry with the
 * same id.
 */
export const ENTRY_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

export interface QueueConnection {
  redis: Redis;
  prefix: string;
  /** Runs a command on a queue. @throws unavailable `QUEUE_UNAVAILABLE` */
  use<T>(name: QueueName, statement: (queue: Queue<QueueEntry>) => Promise<T>): Promise<T>;
  keyOf(name: QueueName): (kind: string) => string;
  /** Removes a queue with its entries. @throws unavailable `QUEUE_UNAVAILABLE` */
  drop(name: QueueName): Promise<void>;
  close(): Promise<void>;
}

export function createConnection(
  redis: Redis,
  prefix: string,
  onError: (error: Error) => void,
): QueueConnection {
  const queues = new Map<QueueName, Queue<QueueEntry>>();
  const failsFast = redis.options.enableOfflineQueue === false;

  function open(name: QueueName): Queue<QueueEntry> {
    const opened =
      queues.get(name) ??
      new Queue<QueueEntry>(name, { connection: redis, prefix, streams: SHORT_LOG });
    if (!queues.has(name)) opened.on('error', onError);
    queues.set(name, opened);
    return opened;
  }

  async function ready(name: QueueName): Promise<Queue<QueueEntry>> {
    // BullMQ waits for the first connection without a limit; an API must not.
    if (failsFast && redis.status !== 'ready')
      throw unavailable('REDIS_UNAVAILABLE', 'redis is not connected');
    const queue = open(name);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      // A queue whose first commands failed stays broken, so the next call opens a new one.
      queues.delete(name);
      throw error;
    }
  }

  async function drop(name: QueueName): Promise<void> {
    const queue = await ready(name);
    queues.delete(name);
    await queue.obliterate({ force: true });
    await queue.close();
    await redis.del(`${prefix}:${name}:turns`, `${prefix}:${name}:failures`);
  }

  return {
    redis,
    prefix,
    drop: (name) => withRedis('QUEUE_UNAVAILABLE', () => drop(name)),
    use: (name, statement) =>
      withRedis('QUEUE_UNAVAILABLE', async () => statement(await ready(name))),
    keyOf: (name) => (kind) => `${prefix}:${name}:${kind}`,
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/** The event stream of BullMQ, which nothing reads. */
const SHORT_LOG = { events: { maxLen: 100 } };
