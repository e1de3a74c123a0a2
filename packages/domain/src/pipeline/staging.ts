/**
 * The state machine of a staging job: `begin` and `advance` (what an outcome changes).
 *
 *   pull_queued → pulling → scan_queued → scanning → staged → push_queued → pushing → pushed
 *   scanning → pull_queued: the scan needs layers that a lazy pull left at the source
 *   scan_queued … pushing → pull_queued: no worker has the storage of the image any more
 *   pushing → scan_queued → … → push_queued: the vulnerability database is newer than the scan
 *   staged → scan_queued: a new scan is requested
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
import {
  type ReferrerLeft,
  referrersLeft,
  STATUS_CHANGED,
  type TimelineEvent,
} from '../job/timeline.ts';
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

/** The job while `stage` runs. */
export function begin(job: StagingJob, stage: Stage, now: Date): StagingJob {
  const running = move({ ...job, attempts: job.attempts + 1, error: null }, RUNNING[stage], now);
  const fresh = { ...running, progress: { ...NO_PROGRESS, phase: stage } };
  return stage === 'push' ? withPush(fresh, { status: 'running', error: null }) : fresh;
}

/** The job after an outcome. */
export function advance(job: StagingJob, outcome: Outcome, now: Date): StagingJob {
  switch (outcome.kind) {
    case 'pulled': {
      const { digest, sightedAt, mediaType, size } = outcome;
      const kept = { ...withLeft(job, outcome, now), imageReleasedAt: null };
      const here = { ...kept, digest, sightedAt, mediaType, size, attempts: 0 };
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
      return afterPush(job, outcome, now);
    case 'failed':
      return failed(job, outcome.error, now);
    case 'cancelled':
      return cancel(job, now);
    case 'handed_back':
      return requeued(job, now, { kind: 'worker_stopped' });
    case 'made_room':
      return requeued(job, now, { kind: 'preempted' });
    case 'put_off':
      return putOff(job, outcome, now);
  }
}

/** Names the referrers that were left behind. */
function withLeft(
  job: StagingJob,
  outcome: { referrersLeft?: readonly ReferrerLeft[] },
  now: Date,
): StagingJob {
  const event = referrersLeft(outcome.referrersLeft);
  return event ? record(job, event, now) : job;
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

/**
 * Findings of an earlier scan stay. A later failed scan no longer matters once no scan is wanted.
 */
function withoutScan({
  verdict,
  vulnResult,
}: StagingJob): Pick<StagingJob, 'verdict' | 'vulnResult'> {
  if (vulnResult === null) return { verdict: 'skipped', vulnResult };
  if (vulnResult.laterScanFailedAt === undefined) return { verdict, vulnResult };
  const { laterScanFailedAt: _, ...known } = vulnResult;
  return { verdict: verdictOfResult(known), vulnResult: known };
}

/** The next pull downloads the rest of the image. Only a retry starts with a lazy pull again. */
function pullRest(job: StagingJob, now: Date): StagingJob {
  const complete = { ...job, attempts: 0, pullMode: 'complete' as const };
  return move(complete, 'pull_queued', now, { kind: 'layers_missing' });
}

/**
 * Keeps digest and findings: the pull is by digest, so it is the same image. An open push waits.
 */
function pullAgain(job: StagingJob, now: Date): StagingJob {
  const stage = nextStage(job);
  if (stage !== 'scan' && stage !== 'push') return job;
  const waiting = withOpenPush({ ...job, attempts: 0, storageId: null }, { status: 'queued' });
  return move(waiting, 'pull_queued', now, { kind: 'storage_lost' });
}

/** The push waits: it continues by itself, or ends with the job. */
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

function afterPush(
  job: StagingJob,
  outcome: Extract<Outcome, { kind: 'pushed' }>,
  now: Date,
): StagingJob {
  const { digest, bytesMounted, bypassed, waivers = [] } = outcome;
  const written = withPush(withLeft(job, outcome, now), {
    ...{ status: 'done', digest, bytesMounted, finishedAt: now },
    ...(bypassed && { bypassed }),
    ...(waivers.length > 0 && { waivers }),
  });
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

/** No scan ran: earlier findings stay valid, within the age that the policy allows. */
const NOT_SCANNED = ['SCANNER_UNAVAILABLE', 'SCAN_DATABASE_MISSING'];

/**
 * A failed scan leaves the job staged with the verdict `error`, and the gate decides. Earlier
 * findings stay, and an image that they block stays blocked.
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

/** A push that waits for a scan or a pull ends with its job. */
function cancel(job: StagingJob, now: Date): StagingJob {
  if (isSettled(job.status)) return job;
  const ended = withOpenPush(job, { status: 'cancelled', finishedAt: now });
  return { ...move({ ...ended, cancelRequested: false }, 'cancelled', now), finishedAt: now };
}

function requeued(job: StagingJob, now: Date, event: TimelineEvent): StagingJob {
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
  const counted = outcome.uncounted ? withoutAttempts(job, stage) : job;
  const waiting = stage === 'push' ? withPush(counted, { status: 'queued', error }) : counted;
  const { code, message } = error;
  return move({ ...waiting, error }, QUEUED[stage], now, {
    kind: 'retry_scheduled',
    code,
    message,
    seconds: Math.ceil(seconds),
  });
}

/**
 * Drops the attempts since the stage was queued, so that a wait of days doesn't fill the timeline.
 */
function withoutAttempts(job: StagingJob, stage: Stage): StagingJob {
  const { timeline, attempts } = job;
  const others = timeline.findLastIndex(
    ({ status }) => status !== QUEUED[stage] && status !== RUNNING[stage],
  );
  return { ...job, attempts: Math.max(0, attempts - 1), timeline: timeline.slice(0, others + 2) };
}
