/** What the queue offers, on one page. The database is the truth: all of this can be lost, and the sweeper fills it again. */
import type { JobStatus, Stage, StageQueue } from '@portcullis/domain';
import type { Logger } from '@portcullis/runtime';

export interface QueuesOptions {
  /** Of all keys; default `portcullis`. */
  prefix?: string | undefined;
  log?: QueueLog | undefined;
}

export type QueueLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** A `StagingJob` is one. */
export interface Dispatchable {
  id: string;
  status: JobStatus;
  ownerId: string;
  fence: number;
  /** Where its image is. */
  storageId: string | null;
}

export interface EnqueueOptions {
  delayMs?: number | undefined;
  /** For the workers that have this storage alone; null or absent: any worker. */
  storageId?: string | null | undefined;
}

export type Task =
  /** Removes a deleted job's layout. For the storage that has it. */
  | { name: 'discard'; jobId: string }
  /** A page of the built-in registry's catalogue, and all that follow; the walk's begin is a time in milliseconds. */
  | { name: 'reconcile-images'; walk?: { cursor: string; page: number; startedAt: number } }
  /** Makes jobs of the tags that a transfer's patterns mean. */
  | { name: 'expand-transfer'; transferId: string }
  /** Makes the full report of a job in another format: the scanner does, and it is where the workers are. */
  | {
      name: 'convert-report';
      jobId: string;
      format: 'sarif' | 'cyclonedx' | 'spdx';
      /** All of them where it is left out. */
      platform?: string;
    }
  /** Takes over the report of a job that an older release left on disk alone; without a job, those of all. */
  | { name: 'keep-reports'; jobId?: string }
  /** Looks for directories of jobs that are gone, and notes them for the api. */
  | { name: 'find-orphans' }
  /** `manual`: asked for by a person, whatever the time is. */
  | { name: 'run-schedule'; scheduleId: string; manual: boolean }
  | { name: 'sweep' }
  | { name: 'prune-cache' }
  | { name: 'trim-events' }
  /** `force`: also where none is due. */
  | { name: 'update-scanner-db'; force?: boolean };

export type TaskName = Task['name'];

export type TaskHandlers = {
  [N in TaskName]: (task: Extract<Task, { name: N }>, signal: AbortSignal) => Promise<void>;
};

export type StageHandler = (jobId: string, signal: AbortSignal) => Promise<void>;

export interface Consumer {
  /** Takes nothing new, waits `graceMs` (default 0) for what runs, then aborts it (`stopping`) and waits for its end. */
  stop(graceMs?: number): Promise<void>;
  running(): number;
  /** Takes nothing new until `goOn`; what runs goes on. */
  pause(): Promise<void>;
  resume(): void;
  /** Aborts a job that runs here (`made_room`), so that its place goes to the next in the queue. */
  preempt(jobId: string): void;
}

export interface QueueDepth {
  queue: Stage | 'tasks' | 'long-tasks';
  waiting: number;
  delayed: number;
  running: number;
  /** Handlers that threw, in the last 24 hours or so. */
  failed: number;
  /** Milliseconds the oldest of the next hundred entries has waited; null where none waits. */
  oldestAgeMs: number | null;
}

export interface Queues {
  /**
   * Enqueues the stage that the job's state asks for, if any. Twice is harmless, also while the stage runs.
   * @throws unavailable `QUEUE_UNAVAILABLE`
   */
  dispatch(job: Dispatchable, options?: { delayMs?: number }): Promise<void>;
  /** With no storage: what any worker may take. */
  consume(queue: StageQueue, handler: StageHandler, options: { concurrency: number }): Consumer;
  /** The running stage's signal is aborted (`cancelled`) within a second, wherever it runs. */
  cancel(jobId: string): Promise<void>;
  /** Ids of the jobs that wait for a stage, the next one first; not those that were put off. */
  waiting(queue: StageQueue, most: number): Promise<string[]>;
  /** A task that waits already, or runs, isn't added again. @throws unavailable `QUEUE_UNAVAILABLE` */
  enqueue(task: Task, options?: EnqueueOptions): Promise<void>;
  /**
   * So many at once of those that are over soon, and as many of those that may take long: of those for any worker, and
   * with a storage, of those for its workers as well.
   */
  consumeTasks(
    handlers: TaskHandlers,
    options?: { concurrency?: number; storageId?: string | null },
  ): Consumer;
  /**
   * Runs a task at this interval, once in the whole installation, or once for a storage. Cheap where that is set
   * already; true where it had to be set, which also happens after Redis lost its data.
   */
  every(task: Task, intervalMs: number, options?: { storageId?: string | null }): Promise<boolean>;
  /** Ends what `every` had set in the whole installation. */
  never(task: Task): Promise<void>;
  /** Enqueues `run-schedule` at the times of a cron expression, as `every` does; again: changes it. */
  schedule(scheduleId: string, times: { cron: string; timezone: string }): Promise<boolean>;
  unschedule(scheduleId: string): Promise<void>;
  /** The queues of these storages are counted with the common ones of their kind. */
  depths(storageIds?: readonly string[]): Promise<QueueDepth[]>;
  /** Removes the queues of a storage that is no more. What waits in them the sweeper finds in the rows. */
  forget(storageId: string): Promise<void>;
  /** The consumers must have been stopped. The Redis connection that was given stays open. */
  close(): Promise<void>;
}
