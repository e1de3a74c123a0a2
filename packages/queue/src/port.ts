/**
 * The interface of the queues. The database is the truth: entries may be lost, and the sweeper adds
 * them again.
 */
import type { JobStatus, Stage, StageQueue } from '@portcullis/domain';
import type { Logger } from '@portcullis/runtime';

export interface QueuesOptions {
  /** Prefix of all keys; default `portcullis`. */
  prefix?: string | undefined;
  log?: QueueLog | undefined;
}

export type QueueLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** The fields of a `StagingJob` that dispatching needs. */
export interface Dispatchable {
  id: string;
  status: JobStatus;
  ownerId: string;
  fence: number;
  /** The storage that has the image. */
  storageId: string | null;
}

export interface EnqueueOptions {
  delayMs?: number | undefined;
  /** Only workers with this storage take the task; null or absent: any worker. */
  storageId?: string | null | undefined;
}

export type Task =
  /** Removes the layout of a deleted job, in the storage that has it. */
  | { name: 'discard'; jobId: string }
  /**
   * Reads one page of the built-in registry's catalog and enqueues the next; `startedAt` in
   * milliseconds.
   */
  | { name: 'reconcile-images'; walk?: { cursor: string; page: number; startedAt: number } }
  /** Creates jobs for the tags that match a transfer's patterns. */
  | { name: 'expand-transfer'; transferId: string }
  /** Converts the full report of a job to another format with Trivy, which only workers have. */
  | {
      name: 'convert-report';
      jobId: string;
      format: 'sarif' | 'cyclonedx' | 'spdx';
      /** Absent: all platforms. */
      platform?: string;
    }
  /** Copies reports that are only on disk to the database; without a job, all of them. */
  | { name: 'keep-reports'; jobId?: string }
  /** Lists directories of deleted jobs for the api. */
  | { name: 'find-orphans' }
  /** `manual`: requested by a person, at any time. */
  | { name: 'run-schedule'; scheduleId: string; manual: boolean }
  | { name: 'sweep' }
  | { name: 'prune-cache' }
  | { name: 'trim-events' }
  /** `force`: also where no update is due. */
  | { name: 'update-scanner-db'; force?: boolean }
  /** Reads the feeds of KEV and EPSS that are due. */
  | { name: 'refresh-feeds' }
  /** Records the ends of waivers, and reminds their requesters before. */
  | { name: 'end-waivers' }
  /** Removes tags by the retention rules of folders that are due. */
  | { name: 'apply-retention' };

export type TaskName = Task['name'];

export type TaskHandlers = {
  [N in TaskName]: (task: Extract<Task, { name: N }>, signal: AbortSignal) => Promise<void>;
};

/** Maintenance that people request. Its rows are in the database. */
export type MaintenanceQueue = 'gc' | 'scanner-db' | 'image-scan';

/** A row that a worker may claim. Each claim raises `attempts`. */
export interface DueMaintenance {
  kind: MaintenanceQueue;
  id: string;
  attempts: number;
}

export type StageHandler = (jobId: string, signal: AbortSignal) => Promise<void>;

export interface Consumer {
  /**
   * Takes no new entries, waits `graceMs` (default 0) for running ones, then aborts them
   * (`stopping`) and waits for their end.
   */
  stop(graceMs?: number): Promise<void>;
  running(): number;
  /** Takes no new entries until `resume`; running ones continue. */
  pause(): Promise<void>;
  resume(): void;
  /** Aborts a running job of this consumer, so that the next one in the queue gets its slot. */
  preempt(jobId: string): void;
}

export interface QueueDepth {
  queue: Stage | 'tasks' | 'long-tasks';
  waiting: number;
  delayed: number;
  running: number;
  /** Number of handler errors, over about 24 hours. */
  failed: number;
  /** Age of the oldest of the next hundred entries; null where none waits. */
  oldestAgeMs: number | null;
}

export interface Queues {
  /**
   * Enqueues the next stage of the job, if any. It is idempotent, also while the stage runs.
   * @throws unavailable `QUEUE_UNAVAILABLE`
   */
  dispatch(job: Dispatchable, options?: { delayMs?: number }): Promise<void>;
  /** Without a storage: entries that any worker may take. */
  consume(queue: StageQueue, handler: StageHandler, options: { concurrency: number }): Consumer;
  /** Aborts the running stage (`cancelled`) within a second, in any worker. */
  cancel(jobId: string): Promise<void>;
  /** Ids of jobs that wait for a stage, next one first, without delayed ones. */
  waiting(queue: StageQueue, most: number): Promise<string[]>;
  /** Idempotent while the same task waits or runs. @throws unavailable `QUEUE_UNAVAILABLE` */
  enqueue(task: Task, options?: EnqueueOptions): Promise<void>;
  /**
   * Runs `concurrency` tasks at once per task queue: the common ones, and with a storage also its
   * own.
   */
  consumeTasks(
    handlers: TaskHandlers,
    options?: { concurrency?: number; storageId?: string | null },
  ): Consumer;
  /**
   * Enqueues requested maintenance; idempotent for the same attempt.
   * @throws unavailable `QUEUE_UNAVAILABLE`
   */
  wake(due: DueMaintenance, options?: { delayMs?: number }): Promise<void>;
  /** Runs the work of a claimed row in the trace that woke it, where there is one. */
  inTraceOf<T>(row: Pick<DueMaintenance, 'kind' | 'id'>, work: () => Promise<T>): Promise<T>;
  /** Calls the handler once per entry, one at a time. */
  consumeMaintenance(
    kind: MaintenanceQueue,
    handler: (signal: AbortSignal) => Promise<void>,
  ): Consumer;
  /**
   * Runs a task at this interval, once in the installation or once per storage. Returns whether the
   * scheduler was missing, as after a loss of Redis; the check is cheap.
   */
  every(task: Task, intervalMs: number, options?: { storageId?: string | null }): Promise<boolean>;
  /** Enqueues `run-schedule` at the times of a cron expression; another call changes it. */
  schedule(scheduleId: string, times: { cron: string; timezone: string }): Promise<boolean>;
  unschedule(scheduleId: string): Promise<void>;
  /** Queues of these storages are added to the common ones of their kind. */
  depths(storageIds?: readonly string[]): Promise<QueueDepth[]>;
  /** Removes the queues of a removed storage. The sweeper finds their jobs in the rows. */
  forget(storageId: string): Promise<void>;
  /** Stop all consumers first. The given Redis connection stays open. */
  close(): Promise<void>;
}
