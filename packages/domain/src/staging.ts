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

import type { Principal } from './principal.ts';
import { judge, verdictAfterFailure, verdictOfResult } from './verdict.ts';
import {
  RATED_VERDICTS,
  type ScanOverrides,
  type ScanPolicy,
  type ScanReport,
  type Verdict,
  type VulnResult,
} from './vulnerability.ts';

export const JOB_STATUSES = [
  'pull_queued',
  'pulling',
  'scan_queued',
  'scanning',
  'staged',
  'push_queued',
  'pushing',
  'pushed',
  'failed',
  'cancelled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const STAGES = ['pull', 'scan', 'push'] as const;
export type Stage = (typeof STAGES)[number];

/** Where the image comes from. An ad-hoc host's password is kept sealed in the job's row, never here. */
export interface JobSource {
  kind: 'dockerhub' | 'registry' | 'host';
  /** `LOCAL_REGISTRY_ID` for the built-in registry, however the caller spelled its host. */
  registryId: string | null;
  host: string;
  /** Stated for an ad-hoc host; absent: TLS, and a loopback host without it, too. */
  useTls?: boolean;
  tlsVerify?: boolean;
}

/** Bytes and blobs of the stage that runs, or ran last; `rate` in bytes a second. */
export interface Progress {
  phase: Stage | 'done';
  bytesDone: number;
  bytesTotal: number;
  blobsDone: number;
  blobsTotal: number;
  bytesReused: number;
  rate: number;
}

export interface JobError {
  code: string;
  message: string;
  side: 'source' | 'target' | null;
  retryable: boolean;
}

export interface TimelineEntry {
  at: Date;
  status: JobStatus;
  note: string | null;
}

export type PushStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** One push of a staged job. `repository` is the very path that was checked and will be written. */
export interface Push {
  id: string;
  status: PushStatus;
  /** `local`: the built-in registry; `registry`: a saved one; `host`: one named for this push. */
  kind: 'local' | 'registry' | 'host';
  registryId: string | null;
  host: string;
  repository: string;
  tag: string;
  digest: string | null;
  bytesDone: number;
  bytesTotal: number;
  bytesMounted: number;
  error: JobError | null;
  /** Scans that it waited for, each because of a newer database. Absent: none. */
  scans?: number;
  requestedById: string;
  requestedBy: string;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface StagingJob {
  id: string;
  ownerId: string;
  ownerName: string;
  status: JobStatus;
  image: string;
  tag: string;
  source: JobSource;
  platforms: 'all' | string[];
  digest: string | null;
  mediaType: string | null;
  size: number | null;
  /** The storage (DATA_DIR) that its last pull left the image in; null: not pulled yet, or any. */
  storageId: string | null;
  progress: Progress;
  verdict: Verdict;
  vulnResult: VulnResult | null;
  overrides: ScanOverrides;
  /** A transfer's job: it pushes by itself once the gate lets it. */
  auto: boolean;
  transferId: string | null;
  /** Signatures, SBOMs and attestations travel along. */
  withReferrers: boolean;
  /** Oldest first; the last one is the one that runs. */
  pushes: Push[];
  error: JobError | null;
  /** Tries of the present stage. */
  attempts: number;
  /** Raised each time a worker begins a stage; a write with an older number is refused. */
  fence: number;
  cancelRequested: boolean;
  timeline: TimelineEntry[];
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** What a worker stage reports. */
export type Outcome =
  /** `unscanned`: no scan is wanted, so the job needn't wait behind those that are. */
  | {
      kind: 'pulled';
      digest: string;
      mediaType: string;
      size: number;
      unscanned?: boolean;
      /** Some referrers are images, which only travel as images. */
      referrersLeft?: boolean;
    }
  /** `known`: of a scan of the same content before, when nothing else could be found in it. */
  | { kind: 'scanned'; report: ScanReport; policy: ScanPolicy; known?: { scannedAt: Date } }
  | { kind: 'scan_skipped' }
  | { kind: 'pushed'; digest: string; bytesMounted: number }
  | { kind: 'failed'; error: JobError }
  | { kind: 'cancelled' }
  | { kind: 'handed_back' }
  /** Handed back so that a job of another account can run; what was moved so far is kept. */
  | { kind: 'made_room' }
  /** Of a scan that lacks something of the image: what a pull left at its source. */
  | { kind: 'blobs_wanted' }
  /** No worker has the storage that its image is in, and the job waits for its scan or its push. */
  | { kind: 'storage_lost' }
  /** Of a push whose scan went by an older database than the one of now. */
  | { kind: 'scan_wanted' }
  /** A fault that may pass: the same stage again, `seconds` from now; `uncounted` where it isn't the job's, however often. */
  | { kind: 'put_off'; error: JobError; seconds: number; uncounted?: boolean };

const STAGE_OF: Partial<Record<JobStatus, Stage>> = {
  pull_queued: 'pull',
  pulling: 'pull',
  scan_queued: 'scan',
  scanning: 'scan',
  push_queued: 'push',
  pushing: 'push',
};

const QUEUED = { pull: 'pull_queued', scan: 'scan_queued', push: 'push_queued' } as const;
const RUNNING = { pull: 'pulling', scan: 'scanning', push: 'pushing' } as const;

/** The stage a state asks for: also for a running one, which a crash may have left behind. */
export function nextStage(job: Pick<StagingJob, 'status'>): Stage | null {
  return STAGE_OF[job.status] ?? null;
}

export function isSettled(status: JobStatus): boolean {
  return STAGE_OF[status] === undefined;
}

/** The job as it is while `stage` runs. */
export function begin(job: StagingJob, stage: Stage, now: Date): StagingJob {
  const running = move({ ...job, attempts: job.attempts + 1, error: null }, RUNNING[stage], now, null);
  const fresh = { ...running, progress: { ...NO_PROGRESS, phase: stage } };
  return stage === 'push' ? withPush(fresh, { status: 'running', error: null }) : fresh;
}

export const NO_PROGRESS: Progress = {
  phase: 'pull',
  bytesDone: 0,
  bytesTotal: 0,
  blobsDone: 0,
  blobsTotal: 0,
  bytesReused: 0,
  rate: 0,
};

/** What a step of the timeline is noted with; other notes are faults and what they said. */
export const TIMELINE_NOTES = {
  unscanned: 'scanning is off',
  known: 'not scanned again: this very image was, by the same scanner with the same database',
  blobsWanted: 'the scan needs layers that were left at their source',
  storageLost: 'the worker that had pulled the image is gone with its storage: it is pulled again',
  scanWanted: 'the vulnerability database is newer than the scan: it is made again before the push',
  judgedAnew: 'the verdict follows a policy that changed since the scan',
  handedBack: 'handed back by a stopping worker',
  madeRoom: 'waits again, so that jobs of other accounts can run; it goes on where it stopped',
  referrersLeft:
    'referrers that are images were left at the source: an image needs a pull and a scan of its own',
  retried: 'retried',
  scannedAgain: 'scanned again: the index of Java archives has arrived',
} as const;

/** Since it was last begun, its scan has found something missing: the next pull takes all of the image. */
export function wantsBlobs({ timeline }: Pick<StagingJob, 'timeline'>): boolean {
  const { blobsWanted, retried } = TIMELINE_NOTES;
  return timeline.findLast(({ note }) => note === blobsWanted || note === retried)?.note === blobsWanted;
}

const TO = 'to ';

function pushNote({ host, repository, tag }: Push): string {
  return `${TO}${host}/${repository}:${tag}`;
}

/** Where a push was asked to go, if that is what is noted. */
export function destinationNoted(note: string): string | null {
  return note.startsWith(TO) ? note.slice(TO.length) : null;
}

/** What an outcome means. */
export function advance(job: StagingJob, outcome: Outcome, now: Date): StagingJob {
  switch (outcome.kind) {
    case 'pulled': {
      const { digest, mediaType, size } = outcome;
      const noted = outcome.referrersLeft ? note(job, TIMELINE_NOTES.referrersLeft, now) : job;
      const here = { ...noted, digest, mediaType, size, attempts: 0 };
      return outcome.unscanned ? unscanned(here, now) : move(here, 'scan_queued', now, null);
    }
    case 'scanned':
      return scanned(job, outcome, now);
    case 'scan_skipped':
      return unscanned(job, now);
    case 'blobs_wanted':
      return move({ ...job, attempts: 0 }, 'pull_queued', now, TIMELINE_NOTES.blobsWanted);
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
      return handedBack(job, now, TIMELINE_NOTES.handedBack);
    case 'made_room':
      return handedBack(job, now, TIMELINE_NOTES.madeRoom);
    case 'put_off':
      return putOff(job, outcome, now);
  }
}

function scanned(job: StagingJob, outcome: Extract<Outcome, { kind: 'scanned' }>, now: Date): StagingJob {
  const { verdict, result } = judge(outcome.report, outcome.policy, job.overrides);
  return staged({ ...job, verdict, vulnResult: result }, now, outcome.known ? TIMELINE_NOTES.known : null);
}

function unscanned(job: StagingJob, now: Date): StagingJob {
  return staged({ ...job, ...withoutScan(job) }, now, TIMELINE_NOTES.unscanned);
}

/** What an earlier scan found stays found. That a later one failed no longer matters once none is wanted. */
function withoutScan({ verdict, vulnResult }: StagingJob): Pick<StagingJob, 'verdict' | 'vulnResult'> {
  if (vulnResult === null) return { verdict: 'skipped', vulnResult };
  if (vulnResult.laterScanFailedAt === undefined) return { verdict, vulnResult };
  const { laterScanFailedAt: _, ...known } = vulnResult;
  return { verdict: verdictOfResult(known), vulnResult: known };
}

/** With what its scan found, and by its digest: the very image that was pulled before. A push waits meanwhile. */
function pullAgain(job: StagingJob, now: Date): StagingJob {
  const stage = nextStage(job);
  if (stage !== 'scan' && stage !== 'push') return job;
  const waiting = withOpenPush({ ...job, attempts: 0, storageId: null }, { status: 'queued' });
  return move(waiting, 'pull_queued', now, TIMELINE_NOTES.storageLost);
}

/** The push waits meanwhile: it goes on by itself, or ends with the job. */
function scanFirst(job: StagingJob, now: Date): StagingJob {
  const scans = (job.pushes.at(-1)?.scans ?? 0) + 1;
  const waiting = withPush({ ...job, attempts: 0 }, { status: 'queued', scans });
  return move(waiting, 'scan_queued', now, TIMELINE_NOTES.scanWanted);
}

function staged(job: StagingJob, now: Date, note: string | null): StagingJob {
  const done = {
    ...job,
    attempts: 0,
    cancelRequested: false,
    progress: { ...job.progress, phase: 'done' as const },
  };
  return job.auto || openPush(job)
    ? move(done, 'push_queued', now, note)
    : { ...move(done, 'staged', now, note), finishedAt: now };
}

function pushed(job: StagingJob, outcome: Extract<Outcome, { kind: 'pushed' }>, now: Date): StagingJob {
  const { digest, bytesMounted } = outcome;
  const written = withPush(job, { status: 'done', digest, bytesMounted, finishedAt: now });
  const done = { ...written, attempts: 0, progress: { ...job.progress, phase: 'done' as const } };
  return { ...move(done, 'pushed', now, null), finishedAt: now };
}

function failed(job: StagingJob, error: JobError, now: Date): StagingJob {
  if (nextStage(job) === 'scan') return scanFailed(job, error, now);
  const ended = withOpenPush(job, { status: 'failed', error, finishedAt: now });
  return { ...move({ ...ended, error }, 'failed', now, error.message), finishedAt: now };
}

/** No scan began: what an earlier one found is as true as before, within the age that the policy allows. */
const NOT_SCANNED = ['SCANNER_UNAVAILABLE', 'SCAN_DATABASE_MISSING'];

/**
 * A scan that failed leaves a staged image with the verdict `error`: the gate, not the crash, decides. What an earlier
 * scan found stays known, and an image that it blocks stays blocked: no failure makes it better.
 */
function scanFailed(job: StagingJob, error: JobError, now: Date): StagingJob {
  return { ...staged({ ...job, ...knownAfter(job, error, now) }, now, error.message), error };
}

function knownAfter(
  { verdict, vulnResult }: StagingJob,
  { code }: JobError,
  now: Date,
): Pick<StagingJob, 'verdict' | 'vulnResult'> {
  if (vulnResult === null) return { verdict: 'error', vulnResult };
  const { laterScanFailedAt = NOT_SCANNED.includes(code) ? undefined : now.toISOString() } = vulnResult;
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
  return { ...move({ ...ended, cancelRequested: false }, 'cancelled', now, null), finishedAt: now };
}

function handedBack(job: StagingJob, now: Date, note: string): StagingJob {
  const stage = nextStage(job);
  if (!stage) return job;
  const back = stage === 'push' ? withPush(job, { status: 'queued' }) : job;
  return move({ ...back, attempts: Math.max(0, job.attempts - 1) }, QUEUED[stage], now, note);
}

function putOff(job: StagingJob, outcome: Extract<Outcome, { kind: 'put_off' }>, now: Date): StagingJob {
  const stage = nextStage(job);
  if (!stage) return job;
  const { error, seconds } = outcome;
  const counted = outcome.uncounted ? asBefore(job, stage) : job;
  const waiting = stage === 'push' ? withPush(counted, { status: 'queued', error }) : counted;
  return move(
    { ...waiting, error },
    QUEUED[stage],
    now,
    `${error.message}; again in ${Math.ceil(seconds)} s`,
  );
}

/** Without the tries since the stage was first queued: a wait of days must not fill the timeline. */
function asBefore(job: StagingJob, stage: Stage): StagingJob {
  const { timeline, attempts } = job;
  const others = timeline.findLastIndex(
    ({ status }) => status !== QUEUED[stage] && status !== RUNNING[stage],
  );
  return { ...job, attempts: Math.max(0, attempts - 1), timeline: timeline.slice(0, others + 2) };
}

/** Only a staged job, a pushed one (again), or one whose push failed or was cancelled accepts a push. */
export function acceptsPush(job: Pick<StagingJob, 'status' | 'digest' | 'verdict'>): boolean {
  if (job.status === 'staged' || job.status === 'pushed') return true;
  return (
    (job.status === 'failed' || job.status === 'cancelled') &&
    job.digest !== null &&
    job.verdict !== 'pending'
  );
}

export function requestPush(job: StagingJob, push: Push, now: Date): StagingJob {
  const asked = {
    ...job,
    pushes: [...job.pushes, push],
    attempts: 0,
    error: null,
    cancelRequested: false,
    finishedAt: null,
  };
  return move(asked, 'push_queued', now, pushNote(push));
}

/**
 * The job again at the stage where it failed, or at its scan; null where there is nothing for `by` to retry. While it is
 * scanned again it keeps what the last scan found. A push runs with the
 * rights and the credentials of whoever requested it: nobody but that account, or an administrator, sets it off again.
 */
export function retry(job: StagingJob, by: Pick<Principal, 'id' | 'isAdmin'>, now: Date): StagingJob | null {
  const stage = stageToRetry(job);
  if (!stage || (leadsToPush(job, stage) && !mayRepeat(job.pushes.at(-1), by))) return null;
  const fresh = { ...job, attempts: 0, error: null, cancelRequested: false, finishedAt: null };
  const again = leadsToPush(job, stage)
    ? withPush(fresh, { status: 'queued', error: null, finishedAt: null, scans: 0 })
    : fresh;
  // By the verdict, not by the findings: those of a transfer's jobs aren't loaded here.
  const isRated = RATED_VERDICTS.some((verdict) => verdict === job.verdict);
  const keepsVerdict = stage === 'push' || (stage === 'scan' && isRated);
  const verdict = keepsVerdict ? job.verdict : ('pending' as const);
  return move({ ...again, verdict }, QUEUED[stage], now, TIMELINE_NOTES.retried);
}

/** A staged job again at its scan, because a scan can now see more; null where it is no longer staged. */
export function scanAgain(job: StagingJob, now: Date): StagingJob | null {
  if (job.status !== 'staged') return null;
  const fresh = { ...job, attempts: 0, error: null, cancelRequested: false, finishedAt: null };
  return move(fresh, 'scan_queued', now, TIMELINE_NOTES.scannedAgain);
}

function stageToRetry(job: StagingJob): Stage | null {
  if (job.status === 'staged') return 'scan';
  if (job.status !== 'failed' && job.status !== 'cancelled') return null;
  // The digest is known before the copy begins, the size only once all of it is here.
  if (job.digest === null || job.size === null) return 'pull';
  // The gate wants a scan that there was none of, or that failed: the same push would fail again.
  if (job.verdict === 'pending' || job.error?.code === 'SCAN_REQUIRED') return 'scan';
  const last = job.pushes.at(-1);
  return last && last.status !== 'done' ? 'push' : 'scan';
}

function leadsToPush({ auto }: StagingJob, stage: Stage): boolean {
  return stage === 'push' || auto;
}

function mayRepeat(push: Push | undefined, by: Pick<Principal, 'id' | 'isAdmin'>): boolean {
  return push === undefined || by.isAdmin || push.requestedById === by.id;
}

/** One that waits or runs. */
function openPush({ pushes }: Pick<StagingJob, 'pushes'>): Push | undefined {
  const last = pushes.at(-1);
  return last?.status === 'queued' || last?.status === 'running' ? last : undefined;
}

function withOpenPush(job: StagingJob, change: Partial<Push>): StagingJob {
  return openPush(job) ? withPush(job, change) : job;
}

function withPush(job: StagingJob, change: Partial<Push>): StagingJob {
  const last = job.pushes.at(-1);
  return last ? { ...job, pushes: [...job.pushes.slice(0, -1), { ...last, ...change }] } : job;
}

/** Within the step that runs. */
function note(job: StagingJob, text: string, now: Date): StagingJob {
  return { ...job, timeline: [...job.timeline, { at: now, status: job.status, note: text }] };
}

function move(job: StagingJob, status: JobStatus, now: Date, note: string | null): StagingJob {
  return { ...job, status, updatedAt: now, timeline: [...job.timeline, { at: now, status, note }] };
}
