import { OPEN_STATUSES, type TransferOrder } from '@portcullis/domain';
import type { Connection, Database } from '../database.ts';
import { isId, Prisma, run, write } from '../database.ts';
import { cancelRequested } from '../jobs/job-fence.ts';
import { isRunning, JOB_REF } from '../jobs/job-row.ts';
import type { JobRef, Transfers } from '../port.ts';
import { insertTransfer, NO_OWNER } from './transfer-insert.ts';
import { updateJobs } from './transfer-jobs.ts';
import { changedTransfers, findTransfer, listTransfers } from './transfer-list.ts';
import { transferredJobs } from './transfer-results.ts';
import { createSelections } from './transfer-selections.ts';

export function createTransfers(db: Database): Transfers {
  async function order(id: string): ReturnType<Transfers['order']> {
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
    insert: (transfer) =>
      write({ missing: NO_OWNER }, () => db.$transaction((tx) => insertTransfer(tx, transfer))),
    find: (id) => findTransfer(db, id),
    list: (filter) => listTransfers(db, filter),
    ofChanges: (changed) => changedTransfers(db, changed),
    order,
    jobIds: async (id) => (await refs(db, id)).map((job) => job.id),
    jobs: (id, which) => transferredJobs(db, id, which),
    updateJobs: (id, statuses, change) => updateJobs(db, id, statuses, change),
    cancel,
    remove: (id) =>
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
