/**
 * Applies one rule to some hundred rows of jobs, which are written by one statement. Findings are
 * neither loaded nor changed.
 */
import { queuedSince, type StagingJob } from '@portcullis/domain';
import type { Connection } from '../../database.ts';
import { isRunning, setGoing, toSummary, WITH_OWNER } from '../job-row.ts';
import type { JobRef } from '../new-job.ts';

export type JobChange = (job: StagingJob) => StagingJob | null;

/** Null leaves a row unchanged. The rows must be locked. */
export async function changeRows(
  tx: Connection,
  ids: string[],
  change: JobChange,
): Promise<JobRef[]> {
  const rows = await tx.stagingJob.findMany({
    where: { id: { in: ids } },
    include: WITH_OWNER,
    omit: { findings: true, vulnResult: true },
  });
  const changed = rows.flatMap((row) => {
    const job = { ...toSummary({ ...row, vulnResult: null }), vulnResult: null };
    const next = change(job);
    return next ? [{ ...next, ...setGoing(job, next) }] : [];
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
           queued_at = new.queued_at, request_id = new.request_id,
           worker_id = CASE WHEN new.running THEN job.worker_id END,
           lease_until = CASE WHEN new.running THEN job.lease_until END
      FROM jsonb_to_recordset(${JSON.stringify(jobs.map(toRecord))}::jsonb) AS new(
           id uuid, status text, verdict text, error jsonb, pushes jsonb, progress jsonb, timeline jsonb, pull_mode text,
           attempts int, fence int, cancel_requested boolean, updated_at timestamptz, finished_at timestamptz, queued_at timestamptz,
           request_id text, running boolean)
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
    timeline,
    pull_mode: job.pullMode,
    attempts,
    fence,
    cancel_requested: job.cancelRequested,
    updated_at: job.updatedAt,
    finished_at: job.finishedAt,
    queued_at: queuedSince(job),
    request_id: job.requestId,
    running: isRunning(status),
  };
}
