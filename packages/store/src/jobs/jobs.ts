import type { Sealer } from '@portcullis/runtime';
import type { Database } from '../database.ts';
import { isId, must, run } from '../database.ts';
import { createIdempotently } from '../idempotency.ts';
import type { Jobs } from '../port.ts';
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
import { countByStatus, insertJob } from './job-insert.ts';
import { stagedWithGap, stale, waits } from './job-stale.ts';
import { claimStorage, jobsOnLostStorage, withImageToRelease } from './job-storage.ts';
import { listJobs } from './list/job-list.ts';
import { previousScanned, previousTagScanned } from './list/previous-scanned.ts';

export function createJobs(db: Database, sealer: Sealer): Jobs {
  return {
    ...createJobCredentials(db, sealer),
    find: (id) => find(db, id),
    findMany: (ids) => findMany(db, ids),
    previousScanned: (job, ownerId) => previousScanned(db, job, ownerId),
    previousTagScanned: (job, ownerId) => previousTagScanned(db, job, ownerId),
    get: async (id) => must(await find(db, id), ...MISSING),
    insert: (job) => insertJob(db, sealer, job),
    list: (filter) => listJobs(db, filter),
    matchingIds: (filter, limit) => matchingIds(db, filter, limit),
    changeMany: (ids, options) => changeMany(db, ids, options),
    removeMany: (ids, options) => removeMany(db, ids, options),
    async existing(ids) {
      const rows = await run(
        () => db.$queryRaw<{ id: string }[]>`
          SELECT id::text FROM staging_jobs WHERE id = ANY (${ids.filter(isId)}::uuid[])`,
      );
      return new Set(rows.map(({ id }) => id));
    },
    async owners(ids) {
      const where = { id: { in: ids.filter(isId) } };
      const rows = await run(() =>
        db.stagingJob.findMany({ where, select: { id: true, ownerId: true } }),
      );
      return new Map(rows.map(({ id, ownerId }) => [id, ownerId]));
    },
    countByStatus: (filter) => countByStatus(db, filter),
    waits: () => waits(db),
    begin: (id, stage, workerId, storageId) => begin(db, { id, stage, workerId, storageId }),
    claimStorage: (id, storageId) => claimStorage(db, id, storageId),
    withImageToRelease: (ids, before) => withImageToRelease(db, ids, before),
    jobsOnLostStorage: ({ silentMs }) => jobsOnLostStorage(db, silentMs),
    save: (job, fence, event) => save(db, job, { fence, event }),
    saveProgress: (id, fence, progress, push) =>
      saveProgress(db, { id, fence }, { progress, push }),
    renewLease: (id, fence) => renewLease(db, { id, fence }),
    update: (id, change) => update(db, id, change),
    requestCancel: (id) => requestCancel(db, id),
    async remove(id) {
      if (!isId(id)) return false;
      return (await run(() => db.stagingJob.deleteMany({ where: { id } }))).count > 0;
    },
    stale: (options) => stale(db, options),
    stagedWithGap: (gap, unchangedSince) => stagedWithGap(db, gap, unchangedSince),
    idempotency: (key, create) => createIdempotently(db, sealer, { key, create }),
  };
}
