/** Describes transfers and schedules as they are stored. */
import type {
  JobCounts,
  JobOutcome,
  ScheduleOrder,
  SelectionState,
  StagingJob,
  TransferEntry,
  TransferOrder,
  TransferSort,
  TransferStatus,
} from '@portcullis/domain';
import type { SkippedTag } from '@portcullis/domain/old-enough';
import type { JobRef, NewJob } from '../jobs/new-job.ts';
import type { PageOptions } from '../page.ts';

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
  /** Null also where the schedule was deleted. */
  scheduleName: string | null;
  /** Without its entries, of which there may be a thousand. */
  order: Omit<TransferOrder, 'entries'>;
  firstEntry: TransferEntry;
  entryCount: number;
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
  /** The newest tags that were left out because they are too young for the destination. */
  skipped: { tag: string; until: string }[];
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
  /** What is new of them in this step; none by default. */
  skipped?: readonly SkippedTag[];
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

/** A transfer that a schedule started. */
export interface ScheduleRun {
  transferId: string;
  at: Date;
  status: TransferStatus;
  /** Something failed, and only because the gate stopped it. */
  blocked: boolean;
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
  /** In the name, in any case. */
  q?: string | undefined;
  /** Newest first by default. */
  sort?: ScheduleOrder | undefined;
}
