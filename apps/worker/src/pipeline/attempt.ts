/** One attempt of one stage: its lease, its interruptions, and the job as this attempt knows it. */
import type { Progress, StagingJob } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { abortCause } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import { keepLease } from './lease.ts';
import type { AttemptPorts, PushBytes } from './ports.ts';
import { throttle } from './throttle.ts';

export interface StageAttempt {
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  job(): StagingJob;
  /** Saves facts to the row while the stage runs, so that a later attempt starts from them. */
  amend(change: JobFacts): Promise<void>;
  report(progress: Progress, bytesMounted: number): void;
  lost(): boolean;
  /** Why the stage was interrupted; null when it failed by itself. */
  interruption(): 'cancelled' | 'handed_back' | 'made_room' | null;
  end(): Promise<void>;
}

/** Facts that a stage may save before it ends. */
type JobFacts = Partial<
  Pick<StagingJob, 'digest' | 'sourceDigest' | 'mediaType' | 'verdict' | 'vulnResult' | 'timeline'>
>;

const ROW_EVERY_MS = 1000;
const CHANNEL_EVERY_MS = 200;

export function startAttempt(
  begun: StagingJob,
  interrupt: AbortSignal,
  ports: AttemptPorts,
): StageAttempt {
  const { id, fence } = begun;
  const missedCancel = new AbortController();
  const log = ports.log.child({
    ...{ job: id, fence, owner: begun.ownerName },
    ...(begun.requestId !== null && { request_id: begun.requestId }),
  });
  const lease = keepLease(renew, log, ports.leaseRenewalMs);
  const signal = AbortSignal.any([interrupt, lease.lost, missedCancel.signal]);
  let job = begun;

  const toRow = throttle(ROW_EVERY_MS, log, async () =>
    noteLease(await ports.jobs.saveProgress(id, fence, job.progress, runningPush(job))),
  );
  const toChannel = throttle(CHANNEL_EVERY_MS, log, () => ports.publishProgress(job));

  function noteLease(mine: boolean): void {
    if (!mine) lease.lose();
  }

  async function renew(): Promise<boolean> {
    const { held, cancelRequested } = await ports.jobs.renewLease(id, fence);
    if (cancelRequested) missedCancel.abort();
    return held;
  }

  async function amend(change: JobFacts): Promise<void> {
    job = { ...job, ...change };
    noteLease(await ports.jobs.save(job, fence));
    if (lease.lost.aborted) throw unavailable('FENCED_OUT', 'another worker has taken the job');
  }

  function report(progress: Progress, bytesMounted: number): void {
    job = { ...job, progress, pushes: withBytes(job, progress, bytesMounted) };
    toRow.call();
    toChannel.call();
  }

  /**
   * A worker that stops, a lost lease and a lost queue connection hand the job back to the queue.
   */
  function interruption(): ReturnType<StageAttempt['interruption']> {
    if (!signal.aborted) return null;
    const cause = missedCancel.signal.aborted ? 'cancelled' : abortCause(interrupt);
    return cause === 'cancelled' || cause === 'made_room' ? cause : 'handed_back';
  }

  async function end(): Promise<void> {
    lease.stop();
    await Promise.all([toRow.stop(), toChannel.stop()]);
  }

  return {
    signal,
    log,
    job: () => job,
    amend,
    report,
    lost: () => lease.lost.aborted,
    interruption,
    end,
  };
}

function runningPush(job: StagingJob): PushBytes | undefined {
  return job.status === 'pushing' ? job.pushes.at(-1) : undefined;
}

function withBytes(
  job: StagingJob,
  progress: Progress,
  bytesMounted: number,
): StagingJob['pushes'] {
  const last = runningPush(job) && job.pushes.at(-1);
  if (!last) return job.pushes;
  const { bytesDone, bytesTotal } = progress;
  return [...job.pushes.slice(0, -1), { ...last, bytesDone, bytesTotal, bytesMounted }];
}
