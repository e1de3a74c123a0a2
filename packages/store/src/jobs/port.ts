import type {
  CoverageGap,
  JobError,
  JobOrder,
  JobStatus,
  Progress,
  Stage,
  StagingJob,
  Verdict,
  VulnResult,
} from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { Credentials } from '../images/registries-port.ts';
import type { Page } from '../page-port.ts';
import type { Transfers } from '../transfers/port.ts';
import type { JobRef, NewJob } from './new-job.ts';

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

/** The writes that a request may make in the transaction that claims its key. */
export interface IdempotentWrites {
  jobs: Pick<Jobs, 'insert' | 'update' | 'setPushCredentials' | 'countByStatus'>;
  transfers: Pick<Transfers, 'insert'>;
}

/**
 * A job as shown in lists: without the findings, which may be megabytes. A `StagingJob` is
 * assignable to it.
 */
export type JobSummary = Omit<StagingJob, 'vulnResult'> & {
  vulnResult: Omit<VulnResult, 'vulnerabilities'> | null;
};

/** Which jobs; all of it must hold. */
export interface JobConditions {
  ownerId?: string | undefined;
  ownerName?: string | undefined;
  status?: JobStatus | readonly JobStatus[] | undefined;
  verdict?: readonly Verdict[] | undefined;
  /** Whether the gate stopped them. */
  blocked?: boolean | undefined;
  /** Part of the image, the tag or the digest. */
  q?: string | undefined;
  transferId?: string | undefined;
  /** When it was requested; inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

export interface JobFilter extends JobConditions {
  /** Default: newest first. */
  order?: JobOrder | undefined;
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

export interface NamedJob {
  id: string;
  image: string;
  tag: string;
}

export interface BulkOptions {
  /** Jobs of other accounts are left alone; null: those of all accounts are included. */
  ownerId: string | null;
  /** The audit event of a job, which is stored with the change. */
  event(job: NamedJob): AuditRecord;
}

/** Jobs that wait for the same stage, and were put off by the same fault if any. */
export interface JobWaits {
  stage: Stage;
  /** Null where they were not put off. */
  code: string | null;
  side: JobError['side'];
  count: number;
  /** How long the first of them has waited for the stage, however often it was put off. */
  oldestMs: number;
}

export interface Jobs {
  insert(job: NewJob): Promise<StagingJob>;
  find(id: string): Promise<StagingJob | null>;
  /** Those that exist, in any order. Callers ask for few at once: findings may be megabytes. */
  findMany(ids: readonly string[]): Promise<StagingJob[]>;
  get(id: string): Promise<StagingJob>;
  /**
   * The newest older job of the same reference and platforms whose image was judged; of the
   * account, or with null of any.
   */
  previousScanned(job: StagingJob, ownerId: string | null): Promise<StagingJob | null>;
  /** As `previousScanned`, of another tag of the repository. */
  previousTagScanned(job: StagingJob, ownerId: string | null): Promise<StagingJob | null>;
  list(filter: JobFilter): Promise<Page<JobSummary>>;
  /** Ids of the jobs that match, newest first, at most `limit`. */
  matchingIds(conditions: JobConditions, limit: number): Promise<string[]>;
  /**
   * Applies `change` to some hundred jobs without their findings, in one transaction; null leaves a
   * job unchanged. Jobs that do not exist are in neither list.
   */
  changeMany(
    ids: readonly string[],
    options: BulkOptions & { change(job: StagingJob): StagingJob | null },
  ): Promise<{ changed: JobRef[]; unchanged: string[] }>;
  /** Deletes some hundred jobs in one transaction. Returns those that existed. */
  removeMany(ids: readonly string[], options: BulkOptions): Promise<JobRef[]>;
  /** Which of the ids exist. */
  existing(ids: readonly string[]): Promise<Set<string>>;
  /** The owners of those that exist. */
  owners(ids: readonly string[]): Promise<Map<string, string>>;
  countByStatus(filter?: { ownerId?: string }): Promise<Partial<Record<JobStatus, number>>>;
  /** The jobs that wait for a stage, counted by stage and by the fault that put them off. */
  waits(): Promise<JobWaits[]>;

  /**
   * Assigns a stage to a worker: the job becomes running, the fence increases by one, the lease
   * starts. Returns null where the job does not exist, is not at this stage, runs under an active
   * lease, or has its image in another storage.
   */
  begin(id: string, stage: Stage, workerId: string, storageId?: string): Promise<StagingJob | null>;
  /**
   * Writes the whole job and the audit event of the transition if `fence` is still the row's;
   * returns false where it is fenced out and nothing was written. Ends the lease when the job is no
   * longer running.
   */
  save(job: StagingJob, fence: number, event?: AuditRecord | null): Promise<boolean>;
  /**
   * Also extends the lease. `push` has the running push's counters. Returns false where it is
   * fenced out.
   */
  saveProgress(
    id: string,
    fence: number,
    progress: Progress,
    push?: { bytesDone: number; bytesTotal: number; bytesMounted: number },
  ): Promise<boolean>;
  /**
   * False: fenced out or removed, so the worker must stop. `cancelRequested` informs a worker that
   * missed the message.
   */
  renewLease(id: string, fence: number): Promise<{ held: boolean; cancelRequested: boolean }>;

  /**
   * Read-modify-write under a row lock; `change` returns null to leave the row unchanged. A changed
   * status raises the fence: a worker that still holds the row is fenced out. @throws not_found
   */
  update(id: string, change: (job: StagingJob) => StagingJob | null): Promise<StagingJob>;
  /** Cancels a queued job at once; a running one gets `cancelRequested`. @throws not_found */
  requestCancel(id: string): Promise<StagingJob>;
  /** Returns true where the row existed. Its sealed credentials are removed with it. */
  remove(id: string): Promise<boolean>;

  /**
   * Jobs that a crash left: running rows whose lease has ended, and queued rows untouched for
   * `olderThanMs`. Each is returned to one caller only, once per period.
   */
  stale(options: { olderThanMs: number; limit?: number }): Promise<JobRef[]>;

  /**
   * Assigns this storage to a job that waits for a scan or a push and has none. Null where there is
   * no such job.
   */
  claimStorage(id: string, storageId: string): Promise<JobRef | null>;
  /**
   * Jobs that wait for a scan or a push, or whose worker died during one, and whose storage no
   * worker has used for `silentMs`: at most 500.
   */
  jobsOnLostStorage(options: { silentMs: number }): Promise<(JobRef & { storageId: string })[]>;

  /**
   * Staged jobs with this gap in their scan that have not changed since: at most 100, oldest first.
   */
  stagedWithGap(gap: CoverageGap['kind'], unchangedSince: Date): Promise<string[]>;

  /**
   * Of these jobs, at most some hundred, those that are finished and whose image was not removed,
   * with the longest finished first. `before`: only those that finished earlier.
   */
  withImageToRelease(ids: readonly string[], before?: Date): Promise<string[]>;

  setSourceCredentials(id: string, credentials: Credentials | null): Promise<void>;
  sourceCredentials(id: string): Promise<Credentials | null>;
  setPushCredentials(id: string, pushId: string, credentials: Credentials | null): Promise<void>;
  pushCredentials(id: string, pushId: string): Promise<Credentials | null>;

  /**
   * `Idempotency-Key`: runs `create` once for (user, key) and stores the ids; the same key and body
   * return them again, even when both requests arrive together. The writes of `create` and the
   * claim of the key are one transaction; a request without a key gets a transaction, too. Keys
   * expire after 24 hours. @throws conflict `IDEMPOTENCY_KEY_REUSED` another body;
   * `IDEMPOTENCY_KEY_IN_USE` the first request still runs
   */
  idempotency(
    key: IdempotencyClaim | null,
    create: (rows: IdempotentWrites) => Promise<string[]>,
  ): Promise<IdempotentAnswer>;
}
