/** Requests of accounts on a staging job: push, retry, scan again. */
import type { Principal } from '../access/principal.ts';
import type { Stage } from '../job/job-status.ts';
import { initialPullMode, type Push, type StagingJob } from '../job/staging-job.ts';
import { RATED_VERDICTS } from '../policy/vulnerability.ts';
import { move, QUEUED, withPush } from './staging-change.ts';

/** A job accepts a push when it is staged or pushed, or when its push failed or was cancelled. */
export function acceptsPush(job: Pick<StagingJob, 'status' | 'digest' | 'verdict'>): boolean {
  if (job.status === 'staged' || job.status === 'pushed') return true;
  return (
    (job.status === 'failed' || job.status === 'cancelled') &&
    job.digest !== null &&
    job.verdict !== 'pending'
  );
}

export function requestPush(job: StagingJob, push: Push, now: Date): StagingJob {
  const requested = {
    ...job,
    pushes: [...job.pushes, push],
    attempts: 0,
    error: null,
    cancelRequested: false,
    finishedAt: null,
  };
  const { host, repository, tag } = push;
  const destination = `${host}/${repository}:${tag}`;
  return move(requested, 'push_queued', now, { kind: 'push_requested', destination });
}

/**
 * The job queued again for the stage that failed, or for its scan; null where there is nothing for
 * `by` to retry. Stored findings stay while it is scanned again. A push runs with the rights and
 * credentials of the account that requested it, so only that account or an administrator may retry
 * it.
 */
export function retry(
  job: StagingJob,
  by: Pick<Principal, 'id' | 'isAdmin'>,
  now: Date,
): StagingJob | null {
  const stage = stageToRetry(job);
  if (!stage || (isBeforePush(job, stage) && !mayRepeat(job.pushes.at(-1), by))) return null;
  const pullMode = initialPullMode(job);
  const fresh = { ...reset(job), pullMode };
  const again = isBeforePush(job, stage)
    ? withPush(fresh, { status: 'queued', error: null, finishedAt: null, scans: 0 })
    : fresh;
  // By the verdict, because findings of a transfer's jobs are not loaded here.
  const isRated = RATED_VERDICTS.some((verdict) => verdict === job.verdict);
  const keepsVerdict = stage === 'push' || (stage === 'scan' && isRated);
  const verdict = keepsVerdict ? job.verdict : ('pending' as const);
  return move({ ...again, verdict }, QUEUED[stage], now, { kind: 'retried' });
}

/** A staged job queued for a new scan that can find more; null where it is no longer staged. */
export function scanAgain(job: StagingJob, now: Date): StagingJob | null {
  if (job.status !== 'staged') return null;
  return move(reset(job), 'scan_queued', now, { kind: 'java_index_arrived' });
}

function reset(job: StagingJob): StagingJob {
  return { ...job, attempts: 0, error: null, cancelRequested: false, finishedAt: null };
}

function stageToRetry(job: StagingJob): Stage | null {
  if (job.status === 'staged') return 'scan';
  if (job.status !== 'failed' && job.status !== 'cancelled') return null;
  // The digest is known before the copy begins, the size only after it.
  if (job.digest === null || job.size === null) return 'pull';
  // The gate refused because a scan was missing; the same push would be refused again.
  if (job.verdict === 'pending' || job.error?.code === 'SCAN_REQUIRED') return 'scan';
  const last = job.pushes.at(-1);
  return last && last.status !== 'done' ? 'push' : 'scan';
}

function isBeforePush({ auto }: StagingJob, stage: Stage): boolean {
  return stage === 'push' || auto;
}

function mayRepeat(push: Push | undefined, by: Pick<Principal, 'id' | 'isAdmin'>): boolean {
  return push === undefined || by.isAdmin || push.requestedById === by.id;
}
