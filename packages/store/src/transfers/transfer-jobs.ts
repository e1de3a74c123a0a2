/**
 * Applies one rule to all jobs of a transfer: some hundred rows per transaction, written by one
 * statement.
 */
import type { JobStatus, StagingJob } from '@portcullis/domain';
import type { Connection, Database } from '../database.ts';
import { inTransaction, isId, Prisma } from '../database.ts';
import { isRunning, toSummary, WITH_OWNER } from '../jobs/job-row.ts';
import { toTimelineColumn } from '../jobs/timeline-column.ts';
import type { JobRef } from '../port.ts';

const BATCH = 250;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

type Rule = (job: StagingJob) => StagingJob | null;

export async function updateJobs(
  db: Database,
  transferId: string,
  statuses: readonly JobStatus[],
  change: Rule,
): Promise<JobRef[]> {
  if (!isId(transferId)) return [];
  const changed: JobRef[] = [];
  let after: string | null = BEFORE_ALL;
  while (after !== null) {
    const from: string = after;
    const batch = await inTransaction(db, async (tx) => {
      const ids = await lock(tx, { transferId, statuses, from });
      return { ids, changed: await changeAll(tx, ids, change) };
    });
    changed.push(...batch.changed);
    after = batch.ids.length < BATCH ? null : (batch.ids.at(-1) ?? null);
  }
  return changed;
}

interface Range {
  transferId: string;
  statuses: readonly JobStatus[];
  from: string;
}

async function lock(tx: Connection, { transferId, statuses, from }: Range): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM staging_jobs
     WHERE transfer_id = ${transferId}::uuid AND status IN (${Prisma.join([...statuses])}) AND id > ${from}::uuid
     ORDER BY id LIMIT ${BATCH} FOR UPDATE`;
  return rows.map(({ id }) => id);
}

async function changeAll(tx: Connection, ids: string[], change: Rule): Promise<JobRef[]> {
  const rows = await tx.stagingJob.findMany({
    where: { id: { in: ids } },
    include: WITH_OWNER,
    omit: { findings: true, vulnResult: true },
  });
  const changed = rows.flatMap((row) => {
    const job = { ...toSummary({ ...row, vulnResult: null }), vulnResult: null };
    const next = change(job);
    return next ? [{ ...next, fence: next.status === job.status ? job.fence : job.fence + 1 }] : [];
  });
  if (changed.length > 0) await writeAll(tx, changed);
  return changed.map(({ id, status, ownerId, fence, storageId }) => ({
    id,
    status,
    ownerId,
    fence,
    storageId,
  }));
}

async function writeAll(tx: Connection, jobs: StagingJob[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE staging_jobs AS job
       SET status = new.status, verdict = new.verdict, error = NULLIF(new.error, 'null'::jsonb), pushes = new.pushes,
           progress = new.progress, timeline = new.timeline, pull_mode = new.pull_mode, attempts = new.attempts, fence = new.fence,
           cancel_requested = new.cancel_requested, updated_at = new.updated_at, finished_at = new.finished_at,
           worker_id = CASE WHEN new.running THEN job.worker_id END,
           lease_until = CASE WHEN new.running THEN job.lease_until END
      FROM jsonb_to_recordset(${JSON.stringify(jobs.map(toRecord))}::jsonb) AS new(
           id uuid, status text, verdict text, error jsonb, pushes jsonb, progress jsonb, timeline jsonb, pull_mode text,
           attempts int, fence int, cancel_requested boolean, updated_at timestamptz, finished_at timestamptz, running boolean)
     WHERE job.id = new.id`;
}

function toRecord(job: StagingJob): Record<string, unknown> {
  const { id, status, verdict, error, pushes, progress, timeline, attempts, fence } = job;
  return {
    id,
    status,
    verdict,
    error,
    pushes,
    progress,
    timeline: toTimelineColumn(timeline),
    pull_mode: job.pullMode,
    attempts,
    fence,
    cancel_requested: job.cancelRequested,
    updated_at: job.updatedAt,
    finished_at: job.finishedAt,
    running: isRunning(status),
  };
}
