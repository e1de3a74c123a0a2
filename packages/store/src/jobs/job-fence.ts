/**
 * Fencing of job rows: who may write one. `begin` assigns the row to a worker: the fence increases
 * by one and a lease starts. Every later write of that worker is one `UPDATE … WHERE id AND fence`,
 * which changes nothing once another worker has taken the row. The worker renews the lease while it
 * is alive; after it ends, the row may be taken. Times are the database's, so that workers' clocks
 * do not matter.
 */

import type { AuditEvent, Progress, Stage, StagingJob } from '@portcullis/domain';
import { advance, begin as beginStage, isSettled } from '@portcullis/domain';
import { insertReady } from '../audit/outbox.ts';
import type { Connection, Database } from '../database.ts';
import { inTransaction, isId, must, Prisma, run } from '../database.ts';
import { insertPromotion } from '../statements/promotions.ts';
import {
  assignments,
  fromRaw,
  isRunning,
  JOB_COLUMNS,
  keepsCancelRequest,
  QUEUED_AT,
  type RawRow,
  RUNNING_AT,
  setGoing,
  toColumns,
} from './job-row.ts';

/**
 * A worker that has not renewed for this long counts as dead. Shorter than the queue's lock: see
 * its consumer.
 */
export const JOB_LEASE_MS = 7_000;
/** How often a worker renews its lease: two renewals may get lost. */
export const JOB_RENEWAL_MS = 2_000;

const LEASE = Prisma.sql`now() + ${JOB_LEASE_MS} * interval '1 millisecond'`;

export const MISSING: [string, string] = ['JOB_UNKNOWN', 'there is no such staging job'];

export async function find(db: Connection, id: string): Promise<StagingJob | null> {
  if (!isId(id)) return null;
  const [row] = await run(
    () => db.$queryRaw<RawRow[]>`
      SELECT ${JOB_COLUMNS} FROM staging_jobs AS job JOIN users AS owner ON owner.id = job.owner_id
       WHERE job.id = ${id}::uuid`,
  );
  return row ? fromRaw(row) : null;
}

export async function findMany(db: Connection, ids: readonly string[]): Promise<StagingJob[]> {
  const rows = await run(
    () => db.$queryRaw<RawRow[]>`
      SELECT ${JOB_COLUMNS} FROM staging_jobs AS job JOIN users AS owner ON owner.id = job.owner_id
       WHERE job.id = ANY (${ids.filter(isId)}::uuid[])`,
  );
  return rows.map(fromRaw);
}

export async function begin(db: Database, taking: Taking): Promise<StagingJob | null> {
  const job = await take(db, taking);
  if (!job) return null;
  const begun = beginStage(job, taking.stage, new Date());
  return (await save(db, begun, { fence: job.fence })) ? begun : null;
}

interface Taking {
  id: string;
  stage: Stage;
  workerId: string;
  storageId: string | undefined;
}

/**
 * Sets fence and lease and returns the row in one statement: of many workers one succeeds. A
 * concurrent action raises the fence.
 */
async function take(
  db: Database,
  { id, stage, workerId, storageId }: Taking,
): Promise<StagingJob | null> {
  if (!isId(id)) return null;
  const isAnywhere = stage === 'pull' || storageId === undefined;
  const [row] = await run(
    () => db.$queryRaw<RawRow[]>`
      UPDATE staging_jobs AS job
         SET fence = job.fence + 1, worker_id = ${workerId}, lease_until = ${LEASE}, swept_at = NULL
        FROM users AS owner
       WHERE job.id = ${id}::uuid AND owner.id = job.owner_id
         AND job.status IN (${QUEUED_AT[stage]}, ${RUNNING_AT[stage]})
         AND COALESCE(job.lease_until <= now(), true)
         AND (${isAnywhere} OR COALESCE(job.storage_id = ${storageId ?? null}::uuid, true))
       RETURNING ${JOB_COLUMNS}`,
  );
  return row ? fromRaw(row) : null;
}

/** Saves the job with the audit event of the transition, if any, in one statement. */
export async function save(
  db: Database,
  job: StagingJob,
  { fence, event }: { fence: number; event?: AuditEvent | null | undefined },
): Promise<boolean> {
  const cancel = keepsCancelRequest(job) ? {} : { cancelRequested: job.cancelRequested };
  const rows = await run(
    () => db.$queryRaw<unknown[]>`
      WITH saved AS (
        UPDATE staging_jobs SET ${assignments({ ...toColumns(job), ...cancel })}
         WHERE id = ${job.id}::uuid AND fence = ${fence}
        RETURNING id
      ), told AS (${insertReady(event, Prisma.sql`FROM saved`)})
      ${insertPromotion(job, Prisma.sql`FROM saved`)}
      SELECT id FROM saved`,
  );
  return rows.length === 1;
}

interface Held {
  id: string;
  fence: number;
}

interface PushCounters {
  bytesDone: number;
  bytesTotal: number;
  bytesMounted: number;
}

export async function saveProgress(
  db: Database,
  { id, fence }: Held,
  { progress, push }: { progress: Progress; push: PushCounters | undefined },
): Promise<boolean> {
  const pushes = push
    ? Prisma.sql`, pushes = jsonb_set(pushes, '{-1}', (pushes -> -1) || ${JSON.stringify(push)}::jsonb)`
    : Prisma.empty;
  const written = await run(
    () => db.$executeRaw`
      UPDATE staging_jobs SET progress = ${JSON.stringify(progress)}::jsonb, lease_until = ${LEASE} ${pushes}
       WHERE id = ${id}::uuid AND fence = ${fence} AND worker_id IS NOT NULL`,
  );
  return written === 1;
}

export async function renewLease(
  db: Database,
  { id, fence }: Held,
): Promise<{ held: boolean; cancelRequested: boolean }> {
  const rows = await run(
    () => db.$queryRaw<{ cancelRequested: boolean }[]>`
      UPDATE staging_jobs SET lease_until = ${LEASE}
       WHERE id = ${id}::uuid AND fence = ${fence} AND worker_id IS NOT NULL
       RETURNING cancel_requested AS "cancelRequested"`,
  );
  return { held: rows.length === 1, cancelRequested: rows[0]?.cancelRequested ?? false };
}

export function update(
  db: Database,
  id: string,
  change: (job: StagingJob) => StagingJob | null,
): Promise<StagingJob> {
  return inTransaction(db, (tx) => updateWithin(tx, id, change));
}

/** As `update`, in the caller's transaction. */
export async function updateWithin(
  tx: Connection,
  id: string,
  change: (job: StagingJob) => StagingJob | null,
): Promise<StagingJob> {
  await lock(tx, id);
  const job = must(await find(tx, id), ...MISSING);
  const changed = change(job);
  if (!changed) return job;
  const set = setGoing(job, changed);
  const data = { ...toColumns(changed), cancelRequested: changed.cancelRequested, ...set };
  await tx.stagingJob.update({ where: { id }, data, select: { id: true } });
  return { ...changed, ...set };
}

/**
 * A queued job has no worker: it is cancelled at once. A running one is cancelled by its worker.
 */
export function requestCancel(db: Database, id: string): Promise<StagingJob> {
  return update(db, id, cancelRequested);
}

export function cancelRequested(job: StagingJob): StagingJob | null {
  if (isSettled(job.status)) return null;
  return isRunning(job.status)
    ? { ...job, cancelRequested: true }
    : advance(job, { kind: 'cancelled' }, new Date());
}

async function lock(tx: Connection, id: string): Promise<void> {
  if (isId(id)) await tx.$queryRaw`SELECT 1 FROM staging_jobs WHERE id = ${id}::uuid FOR UPDATE`;
}
