import type {
  JobCounts,
  JobStatus,
  SelectionState,
  StagingJob,
  TransferEntry,
  TransferOrder,
} from '@portcullis/domain';
import type { JobRef, NewJob } from '../jobs/port.ts';
import type { Page } from '../page-port.ts';

export interface NewTransfer {
  ownerId: string;
  scheduleId?: string | null;
  order: TransferOrder;
  /** What is known already; entries with a pattern become selections. */
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
  /** Of its jobs: `total` as far as it is known, the others of the pushes. */
  bytes: { total: number; done: number; reused: number; mounted: number };
  selections: Selection[];
  createdAt: Date;
}

/** An entry with a pattern, and how far a worker has come with it. */
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
  /** Where this step began: a step that another worker took already changes nothing. */
  cursor: string | null;
  /** Where the next one begins; null: there is none. */
  next: string | null;
  tagsSeen: number;
  jobs: NewJob[];
}

export interface Transfers {
  /** The transfer and all its jobs, or nothing. */
  insert(transfer: NewTransfer): Promise<{ id: string; jobs: JobRef[] }>;
  find(id: string): Promise<Transfer | null>;
  /** Newest first. */
  list(filter: {
    ownerId?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<Transfer>>;
  /** Whole, for a worker. */
  order(id: string): Promise<{ ownerId: string; order: TransferOrder } | null>;
  jobIds(id: string): Promise<string[]>;
  /**
   * `Jobs.update` for all jobs of a transfer that are at one of `statuses`; gives those that changed. The rule sees a
   * job without its scan result, and must leave that alone.
   */
  updateJobs(
    id: string,
    statuses: readonly JobStatus[],
    change: (job: StagingJob) => StagingJob | null,
  ): Promise<JobRef[]>;
  /** Jobs that wait are over at once; gives those that run, whose workers must let go. Selections end, too. */
  cancel(id: string): Promise<JobRef[]>;
  /** With all its jobs; gives these as they were. */
  remove(id: string): Promise<JobRef[]>;

  /** Where each queued selection goes on. */
  queued(
    id: string,
  ): Promise<{ position: number; cursor: string | null; attempts: number; jobsMade: number }[]>;
  /** Jobs and progress in one write; null where another worker was faster, or the selection ended. */
  step(step: SelectionStep): Promise<JobRef[] | null>;
  /** `retry`: it stays queued, and the sweeper finds it again. */
  selectionFailed(
    at: { transferId: string; position: number },
    error: { code: string; message: string },
    retry: boolean,
  ): Promise<void>;
  /** The failed ones are queued again; their number. */
  requeueSelections(id: string): Promise<number>;
  /** Transfers with queued selections that nobody touched for so long; each is given to one caller, once in that time. */
  stale(options: { olderThanMs: number }): Promise<string[]>;
}

export interface Schedule {
  id: string;
  ownerId: string;
  ownerName: string;
  name: string;
  /** Five fields, or six with seconds first. */
  cron: string;
  /** IANA. */
  timezone: string;
  enabled: boolean;
  /** The body as it was sent. */
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
  /** Somebody else started it, or it was changed meanwhile. */
  | { kind: 'not_due' }
  /** Its last transfer isn't over. */
  | { kind: 'still_running' };

export interface Schedules {
  find(id: string): Promise<Schedule | null>;
  /** Newest first. */
  list(filter: {
    ownerId?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<Schedule>>;
  insert(schedule: NewSchedule): Promise<Schedule>;
  /** @throws not_found */
  update(id: string, change: Partial<Omit<NewSchedule, 'ownerId'>>): Promise<Schedule>;
  remove(id: string): Promise<boolean>;
  enabled(): Promise<Pick<Schedule, 'id' | 'cron' | 'timezone'>[]>;
  /** Ids of those whose time has come. */
  due(now: Date): Promise<string[]>;
  /** One run at most comes of it, however many ask: the row is locked while its transfer is made. */
  start(
    id: string,
    run: { now: Date; manual: boolean; nextRunAt: Date | null; transfer: NewTransfer },
  ): Promise<ScheduleStart>;
  /** Why it did not start; `nextRunAt` undefined leaves the time as it is, so that the run is made up for. */
  refused(
    id: string,
    error: { code: string; message: string },
    when: { now: Date; nextRunAt?: Date | null },
  ): Promise<void>;
}
