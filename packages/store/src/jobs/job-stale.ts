/** Finds jobs that a sweeper has to continue, and how long jobs wait. */
import { type CoverageGap, type JobStatus, nextStage } from '@portcullis/domain';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { JOB_REF, QUEUED, RUNNING } from './job-row.ts';
import type { JobRef } from './new-job.ts';
import type { JobWaits } from './records.ts';

const BATCH = 500;

/**
 * Rows are marked as they are read: concurrent sweepers share them, and a row that waits for long
 * is returned once per `olderThanMs`, not at every sweep.
 */
export function stale(
  db: Database,
  { olderThanMs, limit = BATCH }: { olderThanMs: number; limit?: number },
): Promise<JobRef[]> {
  const cutoff = Prisma.sql`now() - ${olderThanMs} * interval '1 millisecond'`;
  return run(
    () => db.$queryRaw<JobRef[]>`
      UPDATE staging_jobs SET swept_at = now()
       WHERE id IN (
         SELECT id FROM staging_jobs
          WHERE (swept_at IS NULL OR swept_at < ${cutoff})
            AND ( (status IN (${Prisma.join([...RUNNING])}) AND (lease_until IS NULL OR lease_until < now()))
               OR (status IN (${Prisma.join([...QUEUED])}) AND updated_at < ${cutoff}) )
          ORDER BY created_at
          LIMIT ${limit}
            FOR UPDATE SKIP LOCKED)
       RETURNING ${JOB_REF}`,
  );
}

export async function stagedWithGap(
  db: Database,
  gap: CoverageGap['kind'],
  unchangedSince: Date,
): Promise<string[]> {
  const gaps = JSON.stringify([{ kind: gap }]);
  const rows = await run(
    () => db.$queryRaw<{ id: string }[]>`
      SELECT id FROM staging_jobs
       WHERE status = 'staged' AND vuln_result->'gaps' @> ${gaps}::jsonb AND updated_at < ${unchangedSince}
       ORDER BY updated_at LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

export async function waits(db: Database): Promise<JobWaits[]> {
  const rows = await run(
    () => db.$queryRaw<(Omit<JobWaits, 'stage'> & { status: JobStatus })[]>`
      SELECT status, error->>'code' AS code, error->>'side' AS side, count(*)::int AS count,
             COALESCE(extract(epoch FROM now() - min(queued_at)) * 1000, 0)::float8 AS "oldestMs"
        FROM staging_jobs WHERE status IN (${Prisma.join([...QUEUED])})
       GROUP BY status, error->>'code', error->>'side'`,
  );
  return rows.flatMap(({ status, ...wait }) => {
    const stage = nextStage({ status });
    return stage ? [{ stage, ...wait }] : [];
  });
}
