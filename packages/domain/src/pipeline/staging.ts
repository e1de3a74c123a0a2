/**
 * The whole pipeline on one page: what an outcome means (`advance`) and what a state asks for (`nextStage`).
 *
 *   pull_queued → pulling → scan_queued → scanning → staged → push_queued → pushing → pushed
 *   scanning → pull_queued, where a transfer's scan needs what its pull left at the source
 *   scan_queued … pushing → pull_queued, where no worker has the storage any more that the image was pulled to
 *   pushing → scan_queued → … → push_queued, where the database is a newer one than the scan's
 *   staged → scan_queued, where a scan is asked for again
 *   any of them → failed | cancelled
 */

import type { Stage } from '../job/job-status.ts';
import {
  isSettled,
  type JobError,
  NO_PROGRESS,
  nextStage,
  type Outcome,
  type StagingJob,
} from '../job/staging-job.ts';
import { STATUS_CHANGED, type TimelineEvent } from '../job/timeline.ts';
import { judge, verdictAfterFailure, verdictOfResult } from '../policy/verdict.ts';
import {
  move,
  openPush,
  QUEUED,
  RUNNING,
  record,
  withOpenPush,
  withPush,
} from './staging-change.ts';

/** The job as it is while `stage` runs. */
export function begin(job: StagingJob, stage: Stage, now: Date): StagingJob {
  const running = move({ ...job, attempts: job.attempts + 1, error: null }, RUNNING[stage], now);
  const fresh = { ...running, progress: { ...NO_PROGRESS, phase: stage } };
  return stage === 'push' ? withPush(fresh, { status: 'running', error: null }) : fresh;
}

/** What an outcome means. */
export function advance(job: StagingJob, outcome: Outcome, now: Date): StagingJob {
  switch (outcome.kind) {
    case 'pulled': {
      const { digest, mediaType, size } = outcome;
      const recorded = outcome.referrersLeft ? record(job, { kind: 'referrers_left' }, now) : job;
      const here = { ...recorded, digest, mediaType, size, attempts: 0 };
      return outcome.unscanned ? unscanned(here, now) : move(here, 'scan_queued', now);
    }
    case 'scanned':
      return scanned(job, outcome, now);
    case 'scan_skipped':
      return unscanned(job, now);
    case 'blobs_wanted':
      return pullRest(job, now);
    case 'storage_lost':
      return pullAgain(job, now);
    case 'scan_wanted':
      return scanFirst(job, now);
    case 'pushed':
      return pushed(job, outcome, now);
    case 'failed':
      return failed(job, outcome.error, now);
    case 'cancelled':
      return cancelled(job, now);
    case 'handed_back':
      return handedBack(job, now, { kind: 'worker_stopped' });
    case 'made_room':
      return handedBack(job, now, { kind: 'preempted' });
    case 'put_off':
      return putOff(job, outcome, now);
  }
}

function scanned(
  job: StagingJob,
  outcome: Extract<Outcome, { kind: 'scanned' }>,
  now: Date,
): StagingJob {
  const { verdict, result } = judge(outcome.report, outcome.policy, job.overrides);
  const event = outcome.known ? ({ kind: 'scan_reused' } as const) : STATUS_CHANGED;
  return staged({ ...job, verdict, vulnResult: result }, now, event);
}

function unscanned(job: StagingJob, now: Date): StagingJob {
  return staged({ ...job, ...withoutScan(job) }, now, { kind: 'scan_disabled' });
}

/** What an earlier scan found stays found. That a later one failed no longer matters once none is wanted. */
function withoutScan({
  verdict,
  vulnResult,
}: StagingJob): Pick<StagingJob, 'verdict' | 'vulnResult'> {
  if (vulnResult === null) return { verdict: 'skipped', vulnResult };
  if (vulnResult.laterScanFailedAt === undefined) return { verdict, vulnResult };
  const { laterScanFailedAt: _, ...known } = vulnResult;
  return { verdict: verdictOfResult(known), vulnResult: known };
}

/** The next pull of the job takes all of the image; only a retry begins with a lazy pull again. */
function pullRest(job: StagingJob, now: Date): StagingJob {
  const complete = { ...job, attempts: 0, pullMode: 'complete' as const };
  return move(complete, 'pull_queued', now, { kind: 'layers_missing' });
}

/** With what its scan found, and by its digest: the very image that was pulled before. A push waits meanwhile. */
function pullAgain(job: StagingJob, now: Date): StagingJob {
  const stage = nextStage(job);
  if (stage !== 'scan' && stage !== 'push') return job;
  const waiting = withOpenPush({ ...job, attempts: 0, storageId: null }, { status: 'queued' });
  return move(waiting, 'pull_queued', now, { kind: 'storage_lost' });
}

/** The push waits meanwhile: it goes on by itself, or ends with the job. */
function scanFirst(job: StagingJob, now: Date): StagingJob {
  const scans = (job.pushes.at(-1)?.scans ?? 0) + 1;
  const waiting = withPush({ ...job, attempts: 0 }, { status: 'queued', scans });
  return move(waiting, 'scan_queued', now, { kind: 'database_newer' });
}

function staged(job: StagingJob, now: Date, event: TimelineEvent): StagingJob {
  const done = {
    ...job,
    attempts: 0,
    cancelRequested: false,
    progress: { ...job.progress, phase: 'done' as const },
  };
  return job.auto || openPush(job)
    ? move(done, 'push_queued', now, event)
    : { ...move(done, 'staged', now, event), finishedAt: now };
}

function pushed(
  job: StagingJob,
  outcome: Extract<Outcome, { kind: 'pushed' }>,
  now: Date,
): StagingJob {
  const { digest, bytesMounted } = outcome;
  const written = withPush(job, { status: 'done', digest, bytesMounted, finishedAt: now });
  const done = { ...written, attempts: 0, progress: { ...job.progress, phase: 'done' as const } };
  return { ...move(done, 'pushed', now), finishedAt: now };
}

function failed(job: StagingJob, error: JobError, now: Date): StagingJob {
  if (nextStage(job) === 'scan') return scanFailed(job, error, now);
  const ended = withOpenPush(job, { status: 'failed', error, finishedAt: now });
  return { ...move({ ...ended, error }, 'failed', now, failure(error)), finishedAt: now };
}

function failure({ code, message }: JobError): TimelineEvent {
  return { kind: 'failed', code, message };
}

/** No scan began: what an earlier one found is as true as before, within the age that the policy allows. */
const NOT_SCANNED = ['SCANNER_UNAVAILABLE', 'SCAN_DATABASE_MISSING'];

/**
 * A scan that failed leaves a staged image with the verdict `error`: the gate, not the crash, decides. What an earlier
 * scan found stays known, and an image that it blocks stays blocked: no failure makes it better.
 */
function scanFailed(job: StagingJob, error: JobError, now: Date): StagingJob {
  return { ...staged({ ...job, ...knownAfter(job, error, now) }, now, failure(error)), error };
}

function knownAfter(
  { verdict, vulnResult }: StagingJob,
  { code }: JobError,
  now: Date,
): Pick<StagingJob, 'verdict' | 'vulnResult'> {
  if (vulnResult === null) return { verdict: 'error', vulnResult };
  const { laterScanFailedAt = NOT_SCANNED.includes(code) ? undefined : now.toISOString() } =
    vulnResult;
  if (laterScanFailedAt === undefined) return { verdict, vulnResult };
  return {
    verdict: verdictAfterFailure(verdictOfResult(vulnResult)),
    vulnResult: { ...vulnResult, laterScanFailedAt },
  };
}

/** A push that waited for a scan, or for the layers that the scan needs, ends with its job. */
function cancelled(job: StagingJob, now: Date): StagingJob {
  if (isSettled(job.status)) return job;
  const ended = withOpenPush(job, { status: 'cancelled', finishedAt: now });
  return { ...move({ ...ended, cancelRequested: false }, 'cancelled', now), finishedAt: now };
}

function handedBack(job: StagingJob, now: Date, event: TimelineEvent): StagingJob {
  const stage = nextStage(job);
  if (!stage) return job;
  const back = stage === 'push' ? withPush(job, { status: 'queued' }) : job;
  return move({ ...back, attempts: Math.max(0, job.attempts - 1) }, QUEUED[stage], now, event);
}

function putOff(
  job: StagingJob,
  outcome: Extract<Outcome, { kind: 'put_off' }>,
  now: Date,
): StagingJob {
  const stage = nextStage(job);
  if (!stage) return job;
  const { error, seconds } = outcome;
  const counted = outcome.uncounted ? asBefore(job, stage) : job;
  const waiting = stage === 'push' ? withPush(counted, { status: 'queued', error }) : counted;
  const { code, message } = error;
  return move({ ...waiting, error }, QUEUED[stage], now, {
    kind: 'retry_scheduled',
    code,
    message,
    seconds: Math.ceil(seconds),
  });
}

/** Without the tries since the stage was first queued: a wait of days must not fill the timeline. */
function asBefore(job: StagingJob, stage: Stage): StagingJob {
  const { timeline, attempts } = job;
  const others = timeline.findLastIndex(
    ({ status }) => status !== QUEUED[stage] && status !== RUNNING[stage],
  );
  return { ...job, attempts: Math.max(0, attempts - 1), timeline: timeline.slice(0, others + 2) };
}
