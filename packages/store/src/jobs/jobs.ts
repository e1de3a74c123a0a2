/** Stores staging jobs. */
import type { AuditEvent, CoverageGap, Progress, Stage, StagingJob } from '@portcullis/domain';
import type { Sealer } from '@portcullis/runtime';
import type { Database } from '../database.ts';
import { isId, must, run } from '../database.ts';
import { createIdempotently, type IdempotentWrites } from '../idempotency.ts';
import { changeMany, matchingIds, removeMany } from './bulk/bulk.ts';
import { createJobCredentials } from './job-credentials.ts';
import {
  begin,
  find,
  findMany,
  MISSING,
  renewLease,
  requestCancel,
  save,
  saveProgress,
  update,
} from './job-fence.ts';
import { judgedFindings } from './job-findings.ts';
import { countByStatus, insertJob } from './job-insert.ts';
import { stagedWithGap, stale, waits } from './job-stale.ts';
import { claimStorage, jobsOnLostStorage, withImageToRelease } from './job-storage.ts';
import { lastDestination } from './last-destination.ts';
import { listJobs, summariesOf } from './list/job-list.ts';
import { judgedTags, previousScanned, previousTagScanned } from './list/previous-scanned.ts';
import type { NewJob } from './new-job.ts';
import type { BulkOptions, IdempotencyClaim, JobConditions, JobFilter } from './records.ts';

export function createJobs(db: Database, sealer: Sealer) {
  return {
    ...createJobCredentials(db, sealer),
    find: (id: string) => find(db, id),
    /** Those that exist, in any order. Callers ask for few at once: findings may be megabytes. */
    findMany: (ids: readonly string[]) => findMany(db, ids),
    /** The same without findings. */
    summaries: (ids: readonly string[]) => summariesOf(db, ids),
    /** As far as a policy judges them: without texts and links. */
    judgedFindings: (ids: readonly string[]) => judgedFindings(db, ids),
    /** Where the account pulled or pushed to last, apart from transfers. */
    lastDestination: (ownerId: string) => lastDestination(db, ownerId),
    /**
     * The newest older job of the same reference and platforms whose image was judged; of the
     * account, or with null of any.
     */
    previousScanned: (job: StagingJob, ownerId: string | null) => previousScanned(db, job, ownerId),
    /** As `previousScanned`, of another tag of the repository. */
    previousTagScanned: (job: StagingJob, ownerId: string | null) =>
      previousTagScanned(db, job, ownerId),
    /** Other tags of the job's repository, from the same source and for the same platforms. */
    judgedTags: (job: StagingJob, jobs: { ownerId: string | null; most: number }) =>
      judgedTags(db, job, jobs),
    get: async (id: string): Promise<StagingJob> => must(await find(db, id), ...MISSING),
    insert: (job: NewJob) => insertJob(db, sealer, job),
    list: (filter: JobFilter) => listJobs(db, filter),
    /** Ids of the jobs that match, newest first, at most `limit`. */
    matchingIds: (filter: JobConditions, limit: number) => matchingIds(db, filter, limit),
    /**
     * Applies `change` to some hundred jobs without their findings, in one transaction; null leaves
     * a job unchanged. Jobs that do not exist are in neither list.
     */
    changeMany: (
      ids: readonly string[],
      options: BulkOptions & { change(job: StagingJob): StagingJob | null },
    ) => changeMany(db, ids, options),
    /** Deletes some hundred jobs in one transaction. Returns those that existed. */
    removeMany: (ids: readonly string[], options: BulkOptions) => removeMany(db, ids, options),
    /** Which of the ids exist. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const rows = await run(
        () => db.$queryRaw<{ id: string }[]>`
          SELECT id::text FROM staging_jobs WHERE id = ANY (${ids.filter(isId)}::uuid[])`,
      );
      return new Set(rows.map(({ id }) => id));
    },
    /** The owners of those that exist. */
    async owners(ids: readonly string[]): Promise<Map<string, string>> {
      const where = { id: { in: ids.filter(isId) } };
      const rows = await run(() =>
        db.stagingJob.findMany({ where, select: { id: true, ownerId: true } }),
      );
      return new Map(rows.map(({ id, ownerId }) => [id, ownerId]));
    },
    countByStatus: (filter?: { ownerId?: string }) => countByStatus(db, filter),
    /** The jobs that wait for a stage, counted by stage and by the fault that put them off. */
    waits: () => waits(db),
    /**
     * Assigns a stage to a worker: the job becomes running, the fence increases by one, the lease
     * starts. Returns null where the job does not exist, is not at this stage, runs under an active
     * lease, or has its image in another storage.
     */
    begin: (id: string, stage: Stage, workerId: string, storageId?: string) =>
      begin(db, { id, stage, workerId, storageId }),
    /**
     * Assigns this storage to a job that waits for a scan or a push and has none. Null where there
     * is no such job.
     */
    claimStorage: (id: string, storageId: string) => claimStorage(db, id, storageId),
    /**
     * Of these jobs, at most some hundred, those that are finished and whose image was not removed,
     * with the longest finished first. `before`: only those that finished earlier.
     */
    withImageToRelease: (ids: readonly string[], before?: Date) =>
      withImageToRelease(db, ids, before),
    /**
     * Jobs that wait for a scan or a push, or whose worker died during one, and whose storage no
     * worker has used for `silentMs`: at most 500.
     */
    jobsOnLostStorage: ({ silentMs }: { silentMs: number }) => jobsOnLostStorage(db, silentMs),
    /**
     * Writes the whole job and the audit event of the transition if `fence` is still the row's;
     * returns false where it is fenced out and nothing was written. Ends the lease when the job is
     * no longer running.
     */
    save: (job: StagingJob, fence: number, event?: AuditEvent | null) =>
      save(db, job, { fence, event }),
    /**
     * Also extends the lease. `push` has the running push's counters. Returns false where it is
     * fenced out.
     */
    saveProgress: (
      id: string,
      fence: number,
      progress: Progress,
      push?: { bytesDone: number; bytesTotal: number; bytesMounted: number },
    ) => saveProgress(db, { id, fence }, { progress, push }),
    /**
     * False: fenced out or removed, so the worker must stop. `cancelRequested` informs a worker
     * that missed the message.
     */
    renewLease: (id: string, fence: number) => renewLease(db, { id, fence }),
    /**
     * Read-modify-write under a row lock; `change` returns null to leave the row unchanged. A
     * changed status raises the fence: a worker that still holds the row is fenced out. @throws
     * not_found
     */
    update: (id: string, change: (job: StagingJob) => StagingJob | null) => update(db, id, change),
    /** Cancels a queued job at once; a running one gets `cancelRequested`. @throws not_found */
    requestCancel: (id: string) => requestCancel(db, id),
    /** Returns true where the row existed. Its sealed credentials are removed with it. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id)) return false;
      return (await run(() => db.stagingJob.deleteMany({ where: { id } }))).count > 0;
    },
    /**
     * Jobs that a crash left: running rows whose lease has ended, and queued rows untouched for
     * `olderThanMs`. Each is returned to one caller only, once per period.
     */
    stale: (options: { olderThanMs: number; limit?: number }) => stale(db, options),
    /**
     * Staged jobs with this gap in their scan that have not changed since: at most 100, oldest
     * first.
     */
    stagedWithGap: (gap: CoverageGap['kind'], unchangedSince: Date) =>
      stagedWithGap(db, gap, unchangedSince),
    /**
     * `Idempotency-Key`: runs `create` once for (user, key) and stores the ids; the same key and
     * body return them again, even when both requests arrive together. The writes of `create` and
     * the claim of the key are one transaction; a request without a key gets a transaction, too.
     * Keys expire after 24 hours. @throws conflict `IDEMPOTENCY_KEY_REUSED` another body;
     * `IDEMPOTENCY_KEY_IN_USE` the first request still runs
     */
    idempotency: (
      key: IdempotencyClaim | null,
      create: (rows: IdempotentWrites) => Promise<string[]>,
    ) => createIdempotently(db, sealer, { key, create }),
  };
}
