import type {
  CoverageGap,
  JobSource,
  JobStatus,
  Progress,
  ScanOverrides,
  Stage,
  StagingJob,
  VulnResult,
} from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { Credentials } from '../images/registries-port.ts';
import type { Page } from '../page-port.ts';
import type { Transfers } from '../transfers/port.ts';

export interface NewJob {
  /** Given by the caller where it also names a directory; made otherwise. */
  id?: string;
  ownerId: string;
  image: string;
  tag: string;
  source: JobSource;
  platforms?: 'all' | string[];
  overrides?: ScanOverrides;
  auto?: boolean;
  transferId?: string | null;
  withReferrers?: boolean;
  pushes?: StagingJob['pushes'];
  sourceCredentials?: Credentials | null;
}

export interface IdempotencyClaim {
  key: string;
  userId: string;
  bodyHash: string;
  /** Called before the commit when the answer is that of an earlier request. */
  replayed?: () => void;
}

export interface IdempotentAnswer {
  ids: string[];
  /** The ids are those of an earlier request: nothing was created now. */
  replayed: boolean;
}

/** What a request may do in one transaction with the claim of its key. */
export interface IdempotentWrites {
  jobs: Pick<Jobs, 'insert' | 'update' | 'setPushCredentials' | 'countByStatus'>;
  transfers: Pick<Transfers, 'insert'>;
}

/** A job as lists show it: without the findings, which may be megabytes. A whole `StagingJob` is one, too. */
export type JobSummary = Omit<StagingJob, 'vulnResult'> & {
  vulnResult: Omit<VulnResult, 'vulnerabilities'> | null;
};

export interface JobFilter {
  ownerId?: string | undefined;
  ownerName?: string | undefined;
  status?: JobStatus | readonly JobStatus[] | undefined;
  /** Part of the image, the tag or the digest. */
  q?: string | undefined;
  transferId?: string | undefined;
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

/** Enough to dispatch a job's next stage. */
export type JobRef = Pick<StagingJob, 'id' | 'status' | 'ownerId' | 'fence' | 'storageId'>;

export interface Jobs {
  insert(job: NewJob): Promise<StagingJob>;
  find(id: string): Promise<StagingJob | null>;
  get(id: string): Promise<StagingJob>;
  /** Newest first. */
  list(filter: JobFilter): Promise<Page<JobSummary>>;
  /** Those of them that there are. */
  existing(ids: readonly string[]): Promise<Set<string>>;
  /** The owner of each of them that there is. */
  owners(ids: readonly string[]): Promise<Map<string, string>>;
  countByStatus(filter?: { ownerId?: string }): Promise<Partial<Record<JobStatus, number>>>;

  /**
   * A worker takes a stage: the row becomes running, the fence rises by one, the lease starts. Null where the job is
   * gone, is not at this stage, runs under a live lease, or has its image in another storage than this one.
   */
  begin(id: string, stage: Stage, workerId: string, storageId?: string): Promise<StagingJob | null>;
  /**
   * Writes the whole job if `fence` is still the row's, and the audit event of the transition with it; false = fenced
   * out, nothing written. Ends the lease when the job isn't running any more.
   */
  save(job: StagingJob, fence: number, event?: AuditRecord | null): Promise<boolean>;
  /** Also extends the lease. `push` carries the running push's own counters. False = fenced out. */
  saveProgress(
    id: string,
    fence: number,
    progress: Progress,
    push?: { bytesDone: number; bytesTotal: number; bytesMounted: number },
  ): Promise<boolean>;
  /** False = fenced out or gone: stop. `cancelRequested` tells a worker that missed the message. */
  renewLease(id: string, fence: number): Promise<{ held: boolean; cancelRequested: boolean }>;

  /**
   * Row-locked read-modify-write; `change` returns null to leave the row alone. A changed status raises the fence: a
   * worker that still holds the row is out. @throws not_found
   */
  update(id: string, change: (job: StagingJob) => StagingJob | null): Promise<StagingJob>;
  /** A queued job is cancelled at once, a running one gets `cancelRequested`. @throws not_found */
  requestCancel(id: string): Promise<StagingJob>;
  /** True when a row was there. Sealed credentials go with it. */
  remove(id: string): Promise<boolean>;

  /** What a crash left behind: running rows whose lease ended, queued rows untouched for `olderThanMs`. Each is given to one caller only, once in that time. */
  stale(options: { olderThanMs: number; limit?: number }): Promise<JobRef[]>;

  /** A job that waits for a scan or a push and has no storage gets this one. Null where none waits. */
  claimStorage(id: string, storageId: string): Promise<JobRef | null>;
  /**
   * Jobs that wait for a scan or a push, or whose worker died in the middle of one, of which no worker has used the
   * storage for `silentMs`: at most 500, with their storage.
   */
  onLostStorage(options: { silentMs: number }): Promise<(JobRef & { storageId: string })[]>;

  /** Staged, with this gap in its scan, and unchanged since: at most 100, the oldest first. */
  stagedWithGap(gap: CoverageGap['kind'], unchangedSince: Date): Promise<string[]>;

  setSourceCredentials(id: string, credentials: Credentials | null): Promise<void>;
  sourceCredentials(id: string): Promise<Credentials | null>;
  setPushCredentials(id: string, pushId: string, credentials: Credentials | null): Promise<void>;
  pushCredentials(id: string, pushId: string): Promise<Credentials | null>;

  /**
   * `Idempotency-Key`: runs `create` once for (user, key) and remembers the ids; the same key and body gives them
   * again, even when both requests arrive together. What `create` writes through its argument and the memory of the
   * key are one transaction, which is also what a request without a key gets. Kept 24 hours.
   * @throws conflict `IDEMPOTENCY_KEY_REUSED` another body; `IDEMPOTENCY_KEY_IN_USE` the first request still runs
   */
  idempotency(
    key: IdempotencyClaim | null,
    create: (rows: IdempotentWrites) => Promise<string[]>,
  ): Promise<IdempotentAnswer>;
}
