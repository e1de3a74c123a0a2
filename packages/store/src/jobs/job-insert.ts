/**
 * Inserts new rows of `staging_jobs` and counts those of an account: alone, or in the transaction
 * of a request.
 */
import type { JobStatus, StagingJob } from '@portcullis/domain';
import type { Sealer } from '@portcullis/runtime';
import { type Connection, run, write } from '../database.ts';
import { newRow, toJob, WITH_OWNER } from './job-row.ts';
import type { NewJob } from './new-job.ts';

export async function insertJob(db: Connection, sealer: Sealer, job: NewJob): Promise<StagingJob> {
  const { sourceCredentials } = job;
  const sealed = sourceCredentials && sealer.seal(JSON.stringify(sourceCredentials));
  const data = {
    ...newRow(job, new Date()),
    ...(sealed && { credentials: { create: { use: 'source', sealed } } }),
  };
  const missing: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
  return toJob(await write({ missing }, () => db.stagingJob.create({ data, include: WITH_OWNER })));
}

export async function countByStatus(
  db: Connection,
  { ownerId }: { ownerId?: string | undefined } = {},
): Promise<Partial<Record<JobStatus, number>>> {
  const where = ownerId === undefined ? {} : { ownerId };
  const rows = await run(() => db.stagingJob.groupBy({ by: ['status'], where, _count: true }));
  return Object.fromEntries(rows.map((row) => [row.status, row._count]));
}
