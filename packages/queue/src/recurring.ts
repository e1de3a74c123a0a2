/**
 * Recurring tasks: BullMQ job schedulers, which are stored in Redis only. `every` and `schedule`
 * are idempotent, so that any process can call them at any time to restore schedulers after a loss
 * of Redis.
 */
import type { Queue } from 'bullmq';
import type { QueueConnection, QueueEntry } from './connection.ts';
import { queueName } from './names.ts';
import type { Task } from './port.ts';
import { entryId, LANES } from './tasks.ts';

const OVER = { removeOnComplete: true, removeOnFail: true } as const;
/**
 * After a run is late by this much, its entry is looked up: it may be lost although the scheduler
 * exists.
 */
const LATE_MS = 60_000;

type Times = { every: number } | { pattern: string; tz: string };

/** True where the scheduler was missing or different. */
export function every(
  connection: QueueConnection,
  task: Task,
  { intervalMs, storageId }: { intervalMs: number; storageId: string | null },
): Promise<boolean> {
  return connection.use(queueName(LANES[task.name], storageId), (queue) =>
    ensure(queue, { id: entryId(task), times: { every: intervalMs }, task }),
  );
}

const schedulerId = (scheduleId: string) => `schedule-${scheduleId}`;

export function schedule(
  connection: QueueConnection,
  scheduleId: string,
  { cron, timezone }: { cron: string; timezone: string },
): Promise<boolean> {
  const task: Task = { name: 'run-schedule', scheduleId, manual: false };
  const times = { pattern: cron, tz: timezone };
  return connection.use(LANES['run-schedule'], (queue) =>
    ensure(queue, { id: schedulerId(scheduleId), times, task }),
  );
}

export async function unschedule(connection: QueueConnection, scheduleId: string): Promise<void> {
  await connection.use(LANES['run-schedule'], (queue) =>
    queue.removeJobScheduler(schedulerId(scheduleId)),
  );
}

interface Recurring {
  id: string;
  times: Times;
  task: Task;
}

async function ensure(queue: Queue<QueueEntry>, { id, times, task }: Recurring): Promise<boolean> {
  if (await isSet(queue, id, times)) return false;
  await queue.upsertJobScheduler(id, times, { name: task.name, data: { ...task }, opts: OVER });
  return true;
}

async function isSet(queue: Queue<QueueEntry>, id: string, times: Times): Promise<boolean> {
  const found = await queue.getJobScheduler(id);
  if (!found) return false;
  const same =
    'every' in times
      ? found.every === times.every
      : found.pattern === times.pattern && found.tz === times.tz;
  if (!same || found.next === undefined) return false;
  return (
    found.next > Date.now() - LATE_MS ||
    (await queue.getJob(`repeat:${id}:${found.next}`)) !== undefined
  );
}
