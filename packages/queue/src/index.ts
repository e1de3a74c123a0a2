import type { JobStatus, Stage } from '@portcullis/domain';
import type { Logger, Redis } from '@portcullis/runtime';

export declare function openQueues(redis: Redis, options?: QueuesOptions): Queues;
/** Why a handler's signal was aborted; null where it wasn't. */
export declare function abortCause(signal: AbortSignal): AbortCause | null;

export type AbortCause = 'cancelled' | 'stopping';

export interface QueuesOptions {
  /** Of all keys; default `portcullis`. */
  prefix?: string;
  log?: Pick<Logger, 'warn' | 'error' | 'info'>;
}

/** A `StagingJob` is one. */
export interface Dispatchable {
  id: string;
  status: JobStatus;
  ownerId: string;
  fence: number;
}

export type Task =
  /** Removes a deleted job's layout. */
  | { name: 'discard'; jobId: string }
  | { name: 'sweep' }
  | { name: 'prune-cache' }
  | { name: 'trim-events' }
  | { name: 'update-scanner-db' }
  | { name: 'collect-garbage'; dryRun: boolean; deleteUntagged: boolean };
export type TaskName = Task['name'];
export type TaskHandlers = { [N in TaskName]: (task: Extract<Task, { name: N }>, signal: AbortSignal) => Promise<void> };

export interface Consumer {
  /** Takes nothing new, waits `graceMs` (default 0) for what runs, then aborts it (`stopping`) and waits for its end. */
  stop(graceMs?: number): Promise<void>;
  running(): number;
}

export interface QueueDepth {
  queue: Stage | 'tasks';
  waiting: number;
  delayed: number;
  running: number;
  failed: number;
  /** Milliseconds the oldest waiting entry has waited; null where none waits. */
  oldestAgeMs: number | null;
}

export interface Queues {
  /** Enqueues the stage the job's state asks for, if any. Twice is harmless. @throws unavailable `QUEUE_UNAVAILABLE` */
  dispatch(job: Dispatchable, options?: { delayMs?: number }): Promise<void>;
  consume(
    stage: Stage,
    handler: (jobId: string, signal: AbortSignal) => Promise<void>,
    options: { concurrency: number },
  ): Consumer;
  /** The running stage's signal is aborted (`cancelled`) within a second, wherever it runs. */
  cancel(jobId: string): Promise<void>;
  enqueue(task: Task, options?: { delayMs?: number }): Promise<void>;
  consumeTasks(handlers: TaskHandlers, options?: { concurrency?: number }): Consumer;
  /** Runs a task at this interval, once in the whole installation. */
  every(task: Task, intervalMs: number): Promise<void>;
  depths(): Promise<QueueDepth[]>;
  close(): Promise<void>;
}
