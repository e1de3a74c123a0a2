import { queueOf, type Stage, type StageQueue } from '@portcullis/domain';
import { ENTRY_OPTIONS, type QueueConnection, type QueueEntry } from './connection.ts';
import { createConsumer, type TrackedConsumer } from './consumer.ts';
import { advanceClock, takeTurn } from './fair-queueing.ts';
import { queueName } from './names.ts';
import { onBehalf, sending } from './origin.ts';
import type { Dispatchable, QueueLog, StageHandler } from './port.ts';

/**
 * Id of a queue entry. It contains the fence, so a repeated dispatch meets the existing entry, and
 * the next attempt of the stage (with a higher fence) is a new one. BullMQ allows no colon in it.
 */
function entryId({ id, fence }: Dispatchable, stage: Stage): string {
  return `${id}-${stage}-${fence}`;
}

export async function dispatch(
  connection: QueueConnection,
  job: Dispatchable,
  delayMs = 0,
): Promise<void> {
  const wanted = queueOf(job);
  if (!wanted) return;
  const { stage, storageId } = wanted;
  const { redis, keyOf } = connection;
  const jobId = entryId(job, stage);
  const name = queueName(stage, storageId);
  await connection.use(name, async (queue) => {
    // The existing entry would be kept anyway, but a turn would be used up.
    if (await redis.exists(keyOf(name)(jobId))) return;
    const priority = await takeTurn(redis, keyOf(name), job.ownerId);
    const options = { ...ENTRY_OPTIONS, jobId, priority, delay: delayMs };
    await sending(stage, { 'portcullis.job.id': job.id }, (origin) =>
      queue.add(stage, { jobId: job.id, ...origin }, options),
    );
  });
}

export function waiting(
  connection: QueueConnection,
  { stage, storageId }: StageQueue,
  most: number,
): Promise<string[]> {
  return connection.use(queueName(stage, storageId), async (queue) => {
    const entries = await queue.getJobs(['prioritized', 'wait'], 0, most - 1, true);
    // An entry may be taken between listing and reading; BullMQ returns a hole then.
    return entries.filter(Boolean).map(({ data }) => jobIdOf(data));
  });
}

interface StageConsumer {
  queue: StageQueue;
  handler: StageHandler;
  concurrency: number;
  log: QueueLog | undefined;
}

export function consumeStage(
  connection: QueueConnection,
  { queue: { stage, storageId }, handler, concurrency, log }: StageConsumer,
): TrackedConsumer {
  const name = queueName(stage, storageId);
  return createConsumer({
    connection,
    name,
    concurrency,
    log,
    async process(entry, running) {
      await advanceClock(connection.redis, connection.keyOf(name), entry.priority);
      const jobId = jobIdOf(entry.data);
      await onBehalf(entry.data, () => running.track(jobId, (signal) => handler(jobId, signal)));
    },
  });
}

function jobIdOf({ jobId }: QueueEntry): string {
  return String(jobId);
}
