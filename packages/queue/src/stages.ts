import type { Stage } from '@portcullis/domain';
import { nextStage } from '@portcullis/domain';
import { ENTRY_OPTIONS, type Entry, type QueueConnection } from './connection.ts';
import { createConsumer, type TrackedConsumer } from './consumer.ts';
import type { Dispatchable, QueueLog, StageHandler } from './port.ts';
import { advanceClock, takeTurn } from './turns.ts';

/**
 * An entry's id. The fence is in it: a dispatch that is repeated meets the entry that is there, while the next try of
 * the same stage (a worker has begun since, so the fence is higher) is another entry, even when the old one is not
 * quite over. BullMQ allows no colon.
 */
function entryId({ id, fence }: Dispatchable, stage: Stage): string {
  return `${id}-${stage}-${fence}`;
}

export async function dispatch(connection: QueueConnection, job: Dispatchable, delayMs = 0): Promise<void> {
  const stage = nextStage(job);
  if (!stage) return;
  const { redis, keyOf } = connection;
  const jobId = entryId(job, stage);
  await connection.use(stage, async (queue) => {
    // Adding it again would change nothing, but a turn would be spent.
    if (await redis.exists(keyOf(stage)(jobId))) return;
    const priority = await takeTurn(redis, keyOf(stage), job.ownerId);
    await queue.add(stage, { jobId: job.id }, { ...ENTRY_OPTIONS, jobId, priority, delay: delayMs });
  });
}

export function waiting(connection: QueueConnection, stage: Stage, most: number): Promise<string[]> {
  return connection.use(stage, async (queue) => {
    const entries = await queue.getJobs(['prioritized', 'wait'], 0, most - 1, true);
    // An entry may be taken between the listing and its reading; BullMQ leaves a hole then.
    return entries.filter(Boolean).map(({ data }) => jobIdOf(data));
  });
}

interface StageConsumer {
  stage: Stage;
  handler: StageHandler;
  concurrency: number;
  log: QueueLog | undefined;
}

export function consumeStage(
  connection: QueueConnection,
  { stage, handler, concurrency, log }: StageConsumer,
): TrackedConsumer {
  return createConsumer({
    connection,
    name: stage,
    concurrency,
    log,
    async process(entry, running) {
      await advanceClock(connection.redis, connection.keyOf(stage), entry.priority);
      const jobId = jobIdOf(entry.data);
      await running.track(jobId, (signal) => handler(jobId, signal));
    },
  });
}

function jobIdOf({ jobId }: Entry): string {
  return String(jobId);
}
