import type {
  JobCounts,
  JobOutcome,
  JobStatus,
  ScheduleOrder,
  SelectionState,
  StagingJob,
  TransferEntry,
  TransferOrder,
  TransferSort,
  TransferStatus,
} from '@portcullis/domain';
import type { JobRef, NewJob } from '../jobs/new-job.ts';
import type { Page, PageOptions } from '../page-port.ts';

export interface NewTransfer {
  ownerId: string;
  scheduleId?: string | null;
  order: TransferOrder;
  /** Entries without a pattern; those with one become selections. */
  jobs: NewJob[];
}

export interface Transfer {
  id: string;
  ownerId: string;
  ownerName: string;
  scheduleId: string | null;
  /** Without its entries, of which there may be a thousand. */
  order: Omit<TransferOrder, 'entries'>;
  counts: JobCounts;
  /** Jobs that the gate stopped; they are `staged` or `failed` among the counts. */
  blocked: number;
  /** Those of the blocked jobs that are `failed`. */
  refused: number;
  /** Pushed jobs that the gate would have stopped without the privilege of an account. */
  bypassed: number;
  /** Who let those through, and why: at most three different answers. */
  bypasses: { by: string; reason: string | null }[];
  /** Totals of its jobs: `total` as far as it is known, the others of the pushes. */
  bytes: { total: number; done: number; reused: number; mounted: number };
  selections: Selection[];
  createdAt: Date;
}

/** An entry with a tag pattern, and the progress of its expansion. */
export interface Selection {
  position: number;
  entry: TransferEntry;
  state: SelectionState;
  tagsSeen: number;
  jobsMade: number;
  error: { code: string; message: string } | null;
}

export interface SelectionStep {
  transferId: string;
  position: number;
  /** Where this step began: a step that another worker has already taken changes nothing. */
  cursor: string | null;
  /** Where the next step begins; null after the last one. */
  next: string | null;
  tagsSeen: number;
  jobs: NewJob[];
}

/** A job of a transfer without its timeline and scan result. */
export type TransferredJob = Pick<
  StagingJob,
  'id' | 'image' | 'tag' | 'source' | 'digest' | 'status' | 'verdict' | 'error' | 'pushes'
>;

export interface TransferredJobs {
  /** Absent: any. */
  outcome?: Exclude<JobOutcome, 'open'>;
  /** The last one of the previous page. */
  after?: Pick<TransferredJob, 'id' | 'image' | 'tag'> | undefined;
  limit: number;
}

export interface TransferFilter {
  ownerId?: string | undefined;
  /** In any case. */
  ownerName?: string | undefined;
  status?: readonly TransferStatus[] | undefined;
  /** Whether something failed, and only because the gate stopped it. */
  blocked?: boolean | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** In the names of repositories, tags and registries. */
  q?: string | undefined;
  sort?: TransferSort | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface Transfers {
  /** Inserts the transfer and all its jobs in one transaction. */
  insert(transfer: NewTransfer): Promise<{ id: string; jobs: JobRef[] }>;
  find(id: string): Promise<Transfer | null>;
  /** Newest first, unless sorted otherwise. */
  list(filter: TransferFilter): Promise<Page<Transfer>>;
  /** Those with these ids, or with one of these jobs. */
  ofChanges(changed: { jobIds: readonly string[]; ids: readonly string[] }): Promise<Transfer[]>;
  /** The complete order, for a worker. */
  order(
    id: string,
  ): Promise<{ ownerId: string; requestId: string | null; order: TransferOrder } | null>;
  jobIds(id: string): Promise<string[]>;
  /** By image and tag. */
  jobs(id: string, which: TransferredJobs): Promise<TransferredJob[]>;
  /**
   * `Jobs.update` for all jobs of a transfer with one of `statuses`; returns those that changed.
   * The rule sees a job without its scan result and must not change it.
   */
  updateJobs(
    id: string,
    statuses: readonly JobStatus[],
    change: (job: StagingJob) => StagingJob | null,
  ): Promise<JobRef[]>;
  /**
   * Cancels queued jobs and selections at once; returns the running jobs, whose workers must stop.
   */
  cancel(id: string): Promise<JobRef[]>;
  /** Removes the transfer with all its jobs and returns these. */
  remove(id: string): Promise<JobRef[]>;

  /** The cursor of each queued selection. */
  queued(
    id: string,
  ): Promise<{ position: number; cursor: string | null; attempts: number; jobsMade: number }[]>;
  /**
   * Inserts jobs and progress in one transaction; null where another worker was faster, or the
   * selection has ended.
   */
  step(step: SelectionStep): Promise<JobRef[] | null>;
  /** `retry`: it stays queued, and the sweeper finds it again. */
  selectionFailed(
    at: { transferId: string; position: number },
    error: { code: string; message: string },
    retry: boolean,
  ): Promise<void>;
  /** Requeues the failed selections; returns their number. */
  requeueSelections(id: string): Promise<number>;
  /**
   * Transfers with queued selections that were not touched for this long; each is returned to one
   * caller, once per period.
   */
  stale(options: { olderThanMs: number }): Promise<string[]>;
}

export interface Schedule {
  id: string;
  ownerId: string;
  ownerName: string;
  name: string;
  /** Five fields, or six with seconds first. */
  cron: string;
  /** IANA name. */
  timezone: string;
  enabled: boolean;
  /** The request body as sent. */
  request: Record<string, unknown>;
  order: TransferOrder;
  createdAt: Date;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  lastTransferId: string | null;
  /** Why the last run did not start. */
  lastError: { code: string; message: string; at: string } | null;
}

export type NewSchedule = Pick<
  Schedule,
  'ownerId' | 'name' | 'cron' | 'timezone' | 'enabled' | 'request' | 'order' | 'nextRunAt'
>;

export type ScheduleStart =
  | { kind: 'started'; transferId: string; jobs: JobRef[] }
  /** Another process started it, or it was changed meanwhile. */
  | { kind: 'not_due' }
  /** Its last transfer has not ended. */
  | { kind: 'still_running' };

export interface ScheduleFilter extends PageOptions {
  ownerId?: string | undefined;
  /** Newest first by default. */
  sort?: ScheduleOrder | undefined;
}

export interface Schedules {
  find(id: string): Promise<Schedule | null>;
  list(filter: ScheduleFilter): Promise<Page<Schedule>>;
  insert(schedule: NewSchedule): Promise<Schedule>;
  /** @throws not_found */
  update(id: string, change: Partial<Omit<NewSchedule, 'ownerId'>>): Promise<Schedule>;
  remove(id: string): Promise<boolean>;
  enabled(): Promise<Pick<Schedule, 'id' | 'cron' | 'timezone'>[]>;
  /** Ids of the schedules that are due. */
  due(now: Date): Promise<string[]>;
  /**
   * Starts at most one run, however many callers: the row is locked while its transfer is inserted.
   */
  start(
    id: string,
    run: { now: Date; manual: boolean; nextRunAt: Date | null; transfer: NewTransfer },
  ): Promise<ScheduleStart>;
  /**
   * Records why it did not start; with `nextRunAt` undefined the time stays, so that the sweeper
   * retries the run.
   */
  refused(
    id: string,
    error: { code: string; message: string },
    when: { now: Date; nextRunAt?: Date | null },
  ): Promise<void>;
}
