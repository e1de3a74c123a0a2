import { traced } from '@portcullis/runtime';
import { ENTRY_OPTIONS, type QueueConnection, type QueueEntry } from './connection.ts';
import { createConsumer, type TrackedConsumer } from './consumer.ts';
import { queueName, type TaskQueue } from './names.ts';
import { isOfTrace, onBehalf, sending } from './origin.ts';
import type { EnqueueOptions, QueueLog, Task, TaskHandlers, TaskName } from './port.ts';

/** Long tasks wait for a registry, or walk over stored data. */
export const LANES: Record<TaskName, TaskQueue> = {
  discard: 'tasks',
  'convert-report': 'tasks',
  'keep-reports': 'tasks',
  'find-orphans': 'tasks',
  'run-schedule': 'tasks',
  sweep: 'tasks',
  'trim-events': 'tasks',
  'end-waivers': 'tasks',
  'expand-transfer': 'long-tasks',
  'reconcile-images': 'long-tasks',
  'prune-cache': 'long-tasks',
  'update-scanner-db': 'long-tasks',
  'refresh-feeds': 'long-tasks',
  'apply-retention': 'long-tasks',
};

/**
 * At most one entry per task, or per subject where the task has one. A walk has one entry per page.
 */
export function entryId(task: Task): string {
  switch (task.name) {
    case 'discard':
      return `${task.name}-${task.jobId}`;
    case 'convert-report':
      return `${task.name}-${task.jobId}-${task.format}${task.platform ? `-${task.platform.replaceAll('/', '-')}` : ''}`;
    case 'keep-reports':
      return `${task.name}-${task.jobId ?? 'all'}`;
    case 'expand-transfer':
      return `${task.name}-${task.transferId}`;
    case 'run-schedule':
      return `${task.name}-${task.scheduleId}${task.manual ? '-manual' : ''}`;
    case 'reconcile-images':
      return task.walk ? `${task.name}-${task.walk.page}` : task.name;
    default:
      return task.name;
  }
}

export async function enqueue(
  connection: QueueConnection,
  task: Task,
  { delayMs = 0, storageId = null }: EnqueueOptions = {},
): Promise<void> {
  const jobId = entryId(task);
  const options = { ...ENTRY_OPTIONS, jobId, delay: delayMs };
  await connection.use(queueName(LANES[task.name], storageId), async (queue) => {
    // One entry serves many callers, so that it is done for none of them.
    if (jobId === task.name) return queue.add(task.name, { ...task }, options);
    return sending(task.name, {}, (origin) =>
      queue.add(task.name, { ...task, ...origin }, options),
    );
  });
}

/** They begin the work of jobs, so that a trace begins with them where none is continued. */
const BEGINNINGS: readonly TaskName[] = ['run-schedule', 'expand-transfer'];

function inSpan(task: Task, entry: QueueEntry, work: () => Promise<void>): Promise<void> {
  if (!BEGINNINGS.includes(task.name) && !isOfTrace(entry)) return work();
  return traced({ name: task.name, kind: 'consumer' }, work);
}

interface TaskConsumer {
  lane: TaskQueue;
  storageId: string | null;
  handlers: TaskHandlers;
  concurrency: number;
  log: QueueLog | undefined;
}

export function consumeTasks(
  connection: QueueConnection,
  { lane, storageId, handlers, concurrency, log }: TaskConsumer,
): TrackedConsumer {
  return createConsumer({
    connection,
    name: queueName(lane, storageId),
    concurrency,
    log,
    process: ({ id, name, data }, running) =>
      onBehalf(data, () =>
        running.track(id ?? name, (signal) => {
          const task = toTask(data);
          return inSpan(task, data, () => run(handlers, task, signal));
        }),
      ),
  });
}

/** Only `enqueue` and `every` write entries. */
function toTask(data: QueueEntry): Task {
  return data as Task;
}

function run(handlers: TaskHandlers, task: Task, signal: AbortSignal): Promise<void> {
  // The table has a handler for the task of each name.
  const handle = handlers[task.name] as (task: Task, signal: AbortSignal) => Promise<void>;
  return handle(task, signal);
}
