import { ENTRY_OPTIONS, type Entry, type QueueConnection } from './connection.ts';
import { createConsumer, type TrackedConsumer } from './consumer.ts';
import type { QueueLog, Task, TaskHandlers } from './port.ts';

/** One of a kind waits or runs at a time; a discard is one for each job, a walk has one place for each page. */
function entryId(task: Task): string {
  if (task.name === 'discard') return `${task.name}-${task.jobId}`;
  return task.name === 'reconcile-images' && task.walk ? `${task.name}-${task.walk.page}` : task.name;
}

export async function enqueue(connection: QueueConnection, task: Task, delayMs = 0): Promise<void> {
  await connection.use('tasks', (queue) =>
    queue.add(task.name, { ...task }, { ...ENTRY_OPTIONS, jobId: entryId(task), delay: delayMs }),
  );
}

export async function every(connection: QueueConnection, task: Task, intervalMs: number): Promise<void> {
  await connection.use('tasks', (queue) =>
    queue.upsertJobScheduler(
      entryId(task),
      { every: intervalMs },
      { name: task.name, data: { ...task }, opts: { removeOnComplete: true, removeOnFail: true } },
    ),
  );
}

interface TaskConsumer {
  handlers: TaskHandlers;
  concurrency: number;
  log: QueueLog | undefined;
}

export function consumeTasks(
  connection: QueueConnection,
  { handlers, concurrency, log }: TaskConsumer,
): TrackedConsumer {
  return createConsumer({
    connection,
    name: 'tasks',
    concurrency,
    log,
    process: (entry, running) =>
      running.track(entry.id ?? entry.name, (signal) => run(handlers, toTask(entry.data), signal)),
  });
}

/** Only `enqueue` and `every` write here. */
function toTask(data: Entry): Task {
  return data as Task;
}

function run(handlers: TaskHandlers, task: Task, signal: AbortSignal): Promise<void> {
  switch (task.name) {
    case 'discard':
      return handlers.discard(task, signal);
    case 'reconcile-images':
      return handlers['reconcile-images'](task, signal);
    case 'sweep':
      return handlers.sweep(task, signal);
    case 'prune-cache':
      return handlers['prune-cache'](task, signal);
    case 'trim-events':
      return handlers['trim-events'](task, signal);
    case 'update-scanner-db':
      return handlers['update-scanner-db'](task, signal);
  }
}
