/** Stores transfers. */
import type { JobStatus, StagingJob } from '@portcullis/domain';
import { OPEN_STATUSES, type TransferOrder } from '@portcullis/domain';
import type { Connection, Database } from '../database.ts';
import { isId, Prisma, run, write } from '../database.ts';
import { cancelRequested } from '../jobs/job-fence.ts';
import { isRunning, JOB_REF } from '../jobs/job-row.ts';
import type { JobRef } from '../jobs/new-job.ts';
import type { NewTransfer, TransferFilter, TransferredJobs } from './records.ts';
import { insertTransfer, NO_OWNER } from './transfer-insert.ts';
import { updateJobs } from './transfer-jobs.ts';
import { changedTransfers, findTransfer, listTransfers } from './transfer-list.ts';
import { transferredJobs } from './transfer-results.ts';
import { createSelections } from './transfer-selections.ts';

export function createTransfers(db: Database) {
  async function order(
    id: string,
  ): Promise<{ ownerId: string; requestId: string | null; order: TransferOrder } | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.transfer.findUnique({ where: { id } }));
    if (!row) return null;
    const { ownerId, requestId } = row;
    // Contains what `insertTransfer` wrote.
    return { ownerId, requestId, order: row.order as unknown as TransferOrder };
  }

  async function cancel(id: string): Promise<JobRef[]> {
    const where = { transferId: id, state: 'queued' };
    await run(() => db.transferSelection.updateMany({ where, data: { state: 'cancelled' } }));
    const changed = await updateJobs(db, id, OPEN_STATUSES, cancelRequested);
    return changed.filter(({ status }) => isRunning(status));
  }

  return {
    ...createSelections(db),
    /** Inserts the transfer and all its jobs in one transaction. */
    insert: (transfer: NewTransfer): Promise<{ id: string; jobs: JobRef[] }> =>
      write({ missing: NO_OWNER }, () => db.$transaction((tx) => insertTransfer(tx, transfer))),
    find: (id: string) => findTransfer(db, id),
    /** Newest first, unless sorted otherwise. */
    list: (filter: TransferFilter) => listTransfers(db, filter),
    /** Those with these ids, or with one of these jobs. */
    ofChanges: (changed: { jobIds: readonly string[]; ids: readonly string[] }) =>
      changedTransfers(db, changed),
    /** The complete order, for a worker. */
    order,
    jobIds: async (id: string): Promise<string[]> => (await refs(db, id)).map((job) => job.id),
    /** By image and tag. */
    jobs: (id: string, which: TransferredJobs) => transferredJobs(db, id, which),
    /**
     * `Jobs.update` for all jobs of a transfer with one of `statuses`; returns those that changed.
     * The rule sees a job without its scan result and must not change it.
     */
    updateJobs: (
      id: string,
      statuses: readonly JobStatus[],
      change: (job: StagingJob) => StagingJob | null,
    ) => updateJobs(db, id, statuses, change),
    /**
     * Cancels queued jobs and selections at once; returns the running jobs, whose workers must
     * stop.
     */
    cancel,
    /** Removes the transfer with all its jobs and returns these. */
    remove: (id: string): Promise<JobRef[]> =>
      run(() =>
        db.$transaction(async (tx) => {
          const jobs = await refs(tx, id);
          await tx.transfer.deleteMany({ where: { id } });
          return jobs;
        }),
      ),
  };
}

async function refs(db: Connection, transferId: string): Promise<JobRef[]> {
  if (!isId(transferId)) return [];
  return run(() =>
    db.$queryRaw<JobRef[]>(Prisma.sql`
      SELECT ${JOB_REF} FROM staging_jobs
       WHERE transfer_id = ${transferId}::uuid ORDER BY created_at, id`),
  );
}
