/** The storage that has a job's image, and jobs whose storage no worker uses any more. */
import { FINISHED_STATUSES } from '@portcullis/domain';
import type { Database } from '../database.ts';
import { isId, run } from '../database.ts';
import { JOB_REF } from './job-row.ts';
import type { JobRef } from './new-job.ts';

export async function claimStorage(
  db: Database,
  id: string,
  storageId: string,
): Promise<JobRef | null> {
  if (!isId(id)) return null;
  const [row] = await run(
    () => db.$queryRaw<JobRef[]>`
      UPDATE staging_jobs SET storage_id = COALESCE(storage_id, ${storageId}::uuid)
       WHERE id = ${id}::uuid AND status IN ('scan_queued', 'scanning', 'push_queued', 'pushing')
   RETURNING ${JOB_REF}`,
  );
  return row ?? null;
}

const BATCH = 500;

export function jobsOnLostStorage(
  db: Database,
  silentMs: number,
): Promise<(JobRef & { storageId: string })[]> {
  return run(
    () => db.$queryRaw<(JobRef & { storageId: string })[]>`
      SELECT ${JOB_REF} FROM staging_jobs
       WHERE storage_id IS NOT NULL
         AND (status IN ('scan_queued', 'push_queued')
           OR (status IN ('scanning', 'pushing') AND (lease_until IS NULL OR lease_until < now())))
         AND NOT EXISTS (SELECT 1 FROM storages
                          WHERE storages.id = staging_jobs.storage_id
                            AND seen_at > now() - ${silentMs} * interval '1 millisecond')
       ORDER BY created_at LIMIT ${BATCH}`,
  );
}

export async function withImageToRelease(
  db: Database,
  ids: readonly string[],
  before: Date | undefined,
): Promise<string[]> {
  const rows = await run(() =>
    db.stagingJob.findMany({
      where: {
        id: { in: ids.filter(isId) },
        status: { in: [...FINISHED_STATUSES] },
        imageReleasedAt: null,
        ...(before && { finishedAt: { lt: before } }),
      },
      select: { id: true },
      orderBy: { finishedAt: 'asc' },
    }),
  );
  return rows.map(({ id }) => id);
}
