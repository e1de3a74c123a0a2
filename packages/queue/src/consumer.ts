import { duplicateForBlocking } from '@portcullis/runtime';
import { type Job, Worker } from 'bullmq';
import { isStopping, preempted, stopping } from './abort.ts';
import type { QueueConnection, QueueEntry } from './connection.ts';
import type { QueueName } from './names.ts';
import type { Consumer, QueueLog } from './port.ts';
import { createRunning, type Running } from './running.ts';

/**
 * An entry of a dead worker is delivered again after its lock expired, at the next check: within 8
 * to 13 s. The lease of the row (7 s) must have expired by then, or the new worker would be refused
 * and only the sweeper would find the job. A slow worker that is alive keeps its row.
 */
const LOCK_MS = 10_000;
const LOCK_RENEWAL_MS = 2_000;
const STALLED_CHECK_MS = 3_000;
/**
 * Practically unlimited: the row counts attempts, and a dropped entry would wait for the sweeper.
 */
const MAX_STALLED = 1_000;

const FAILURES_KEPT_S = 86_400;

export interface ConsumerOptions {
  connection: QueueConnection;
  name: QueueName;
  concurrency: number;
  log: QueueLog | undefined;
  process: (entry: Job<QueueEntry>, running: Running) => Promise<void>;
}

export interface TrackedConsumer extends Consumer {
  tracked: Running;
}

export function createConsumer({
  connection,
  name,
  concurrency,
  log,
  process,
}: ConsumerOptions): TrackedConsumer {
  const tracked = createRunning();
  const redis = duplicateForBlocking(connection.redis);
  const worker = new Worker<QueueEntry>(name, (entry) => process(entry, tracked), {
    connection: redis,
    prefix: connection.prefix,
    concurrency,
    lockDuration: LOCK_MS,
    lockRenewTime: LOCK_RENEWAL_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
  });
  worker.on('error', (error) => log?.warn({ err: error, queue: name }, 'a consumer met a fault'));
  worker.on('failed', (entry, error) => {
    if (isStopping(error)) return;
    log?.error({ err: error, queue: name, entry: entry?.id }, 'a handler threw');
    void countFailure(connection, name).catch(() => {});
  });

  async function stop(graceMs = 0): Promise<void> {
    const closing = worker.close();
    const timer = setTimeout(() => tracked.abortAll(stopping()), graceMs);
    await closing;
    clearTimeout(timer);
    redis.disconnect();
  }

  return {
    stop,
    running: tracked.size,
    pause: () => worker.pause(true),
    resume: () => worker.resume(),
    preempt: (jobId) => tracked.abort(jobId, preempted()),
    tracked,
  };
}

async function countFailure({ redis, keyOf }: QueueConnection, name: QueueName): Promise<void> {
  const key = keyOf(name)('failures');
  await redis.multi().incr(key).expire(key, FAILURES_KEPT_S).exec();
}
