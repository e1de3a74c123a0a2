import type { StagingJob } from '@portcullis/domain';
import type { Sealer } from '@portcullis/runtime';
import type { Database } from './database.ts';
import { isId, must, run, write } from './database.ts';
import { claimIdempotently } from './idempotency.ts';
import { createJobCredentials } from './job-credentials.ts';
import { begin, find, MISSING, renewLease, requestCancel, save, saveProgress, update } from './job-fence.ts';
import { listJobs } from './job-list.ts';
import { newRow, toJob, WITH_OWNER } from './job-row.ts';
import { stale } from './job-stale.ts';
import type { Jobs, NewJob } from './port.ts';

export function createJobs(db: Database, sealer: Sealer): Jobs {
  return {
    ...createJobCredentials(db, sealer),
    find: (id) => find(db, id),
    get: async (id) => must(await find(db, id), ...MISSING),
    insert: (job) => insert(db, sealer, job),
    list: (filter) => listJobs(db, filter),
    async existing(ids) {
      const rows = await run(
        () => db.$queryRaw<{ id: string }[]>`
          SELECT id::text FROM staging_jobs WHERE id = ANY (${ids.filter(isId)}::uuid[])`,
      );
      return new Set(rows.map(({ id }) => id));
    },
    async countByStatus({ ownerId } = {}) {
      const where = ownerId === undefined ? {} : { ownerId };
      const rows = await run(() => db.stagingJob.groupBy({ by: ['status'], where, _count: true }));
      return Object.fromEntries(rows.map((row) => [row.status, row._count]));
    },
    begin: (id, stage, workerId) => begin(db, { id, stage, workerId }),
    save: (job, fence) => save(db, job, fence),
    saveProgress: (id, fence, progress, push) => saveProgress(db, { id, fence }, { progress, push }),
    renewLease: (id, fence) => renewLease(db, { id, fence }),
    update: (id, change) => update(db, id, change),
    requestCancel: (id) => requestCancel(db, id),
    async remove(id) {
      if (!isId(id)) return false;
      return (await run(() => db.stagingJob.deleteMany({ where: { id } }))).count > 0;
    },
    stale: (options) => stale(db, options),
    idempotency: (key, create) => claimIdempotently(db, key, create),
  };
}

async function insert(db: Database, sealer: Sealer, job: NewJob): Promise<StagingJob> {
  const { sourceCredentials } = job;
  const sealed = sourceCredentials && sealer.seal(JSON.stringify(sourceCredentials));
  const data = {
    ...newRow(job, new Date()),
    ...(sealed && { credentials: { create: { use: 'source', sealed } } }),
  };
  const missing: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
  return toJob(await write({ missing }, () => db.stagingJob.create({ data, include: WITH_OWNER })));
}
