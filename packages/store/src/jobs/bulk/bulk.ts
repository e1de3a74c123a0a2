/** Changes and deletes many jobs: each call is one transaction with a few statements. */
import { putReady } from '../../audit/outbox.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  isId,
  Prisma,
  run,
} from '../../database.ts';
import { JOB_REF } from '../job-row.ts';
import { conditions } from '../list/job-list.ts';
import type { JobRef } from '../new-job.ts';
import type { BulkOptions, JobConditions, NamedJob } from '../records.ts';
import { changeRows, type JobChange } from './change-rows.ts';

/** The newest that match. */
export async function matchingIds(
  db: Database,
  filter: JobConditions,
  limit: number,
): Promise<string[]> {
  const where = await conditions(db, filter);
  const rows = await run(() =>
    db.stagingJob.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
      select: { id: true },
    }),
  );
  return rows.map(({ id }) => id);
}

export function changeMany(
  db: Database,
  ids: readonly string[],
  { change, ...options }: BulkOptions & { change: JobChange },
): Promise<{ changed: JobRef[]; unchanged: string[] }> {
  return inTransaction(db, async (tx) => {
    const jobs = await lock(tx, ids, options.ownerId);
    const changed = await changeRows(tx, [...jobs.keys()], change);
    await putReady(tx, eventsOf(changed, jobs, options));
    const kept = new Set(changed.map(({ id }) => id));
    return { changed, unchanged: [...jobs.keys()].filter((id) => !kept.has(id)) };
  });
}

export function removeMany(
  db: Database,
  ids: readonly string[],
  options: BulkOptions,
): Promise<JobRef[]> {
  return inTransaction(db, async (tx) => {
    const jobs = await lock(tx, ids, options.ownerId);
    const removed = await tx.$queryRaw<JobRef[]>`
      DELETE FROM staging_jobs WHERE id = ANY (${[...jobs.keys()]}::uuid[]) RETURNING ${JOB_REF}`;
    await putReady(tx, eventsOf(removed, jobs, options));
    return removed;
  });
}

/** In the order of ids, so that two bulk operations do not wait for each other. */
async function lock(
  tx: Connection,
  ids: readonly string[],
  ownerId: string | null,
): Promise<Map<string, NamedJob>> {
  const own = ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`owner_id = ${ownerId}::uuid`;
  const rows = await tx.$queryRaw<NamedJob[]>`
    SELECT id::text, image, tag FROM staging_jobs
     WHERE id = ANY (${ids.filter(isId)}::uuid[]) AND ${own} ORDER BY id FOR UPDATE`;
  return new Map(rows.map((row) => [row.id, row]));
}

function eventsOf(
  done: readonly JobRef[],
  jobs: ReadonlyMap<string, NamedJob>,
  { event }: BulkOptions,
) {
  return done.flatMap(({ id }) => {
    const job = jobs.get(id);
    return job ? [event(job)] : [];
  });
}
