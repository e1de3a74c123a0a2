/** Runs one stage of one job: begin → stage → advance → save → publish → dispatch. */
import {
  advance,
  begin,
  keptAt,
  nextStage,
  type Outcome,
  type Stage,
  type StagingJob,
} from '@portcullis/domain';
import type { JobStanding } from '@portcullis/gate';
import { forRequest, type OpenSpan, traced } from '@portcullis/runtime';
import { transitionEvent } from './announce.ts';
import { type StageAttempt, startAttempt } from './attempt.ts';
import { assertAttemptsLeft, type Backoff, outcomeOfFailure } from './failure.ts';
import type { AttemptPorts } from './ports.ts';
import { stageLine } from './stage-line.ts';
import { noteStage, stageSpan } from './stage-span.ts';

export interface RunStagePorts extends AttemptPorts {
  workerId: string;
  /** Id of the worker's DATA_DIR, where its pulls leave images. */
  storageId: string;
  stages: Record<Stage, (attempt: StageAttempt) => Promise<Outcome>>;
  publish(stage: Stage, job: StagingJob, outcome: Outcome | null): Promise<void>;
  dispatch(job: StagingJob, options: { delayMs: number }): Promise<void>;
  /** How it stands for its destination; null where its owner may not know. */
  standing(job: StagingJob): Promise<JobStanding | null>;
  /** The stage that this worker runs next without the queue; null otherwise. */
  nextStageHere(stage: Stage, next: StagingJob): Stage | null;
  /** Removes from disk what the stages of a deleted job left. */
  discard(id: string): Promise<void>;
  backoff: Backoff;
}

export async function runStage(
  stage: Stage,
  id: string,
  signal: AbortSignal,
  ports: RunStagePorts,
): Promise<void> {
  const job = await ports.jobs.begin(id, stage, ports.workerId, ports.storageId);
  if (!job) return skipStage(stage, id, ports);
  await run(stage, job, signal, ports);
}

/** A stage that a worker has begun. */
interface Begun {
  stage: Stage;
  job: StagingJob;
}

async function run(
  stage: Stage,
  job: StagingJob,
  signal: AbortSignal,
  ports: RunStagePorts,
): Promise<void> {
  let begun: Begun | null = { stage, job };
  while (begun) {
    const now: Begun = begun;
    begun = await forRequest(now.job.requestId, () =>
      traced(stageSpan(now), (span) => runOne(now, span, signal, ports)),
    );
  }
}

/** Returns the stage that this worker runs next. */
async function runOne(
  { stage, job }: Begun,
  span: OpenSpan | null,
  signal: AbortSignal,
  ports: RunStagePorts,
): Promise<Begun | null> {
  await ports.publish(stage, job, null);
  const attempt = startAttempt(job, signal, ports);
  const outcome = await perform(stage, attempt, ports).finally(attempt.end);
  const next = keptAt(advance(attempt.job(), outcome, ports.now()), outcome, ports.storageId);
  const further = ports.nextStageHere(stage, next);
  // The next stage keeps fence and lease, so after a crash the row shows that stage as running.
  const kept = further ? begin(next, further, ports.now()) : next;
  const event = transitionEvent(stage, next, outcome, await standingAfter(next, outcome, ports));
  if (attempt.lost() || !(await ports.jobs.save(kept, job.fence, event))) {
    await skipStage(stage, job.id, ports);
    return null;
  }
  if (!further)
    await ports.dispatch(next, {
      delayMs: outcome.kind === 'put_off' ? outcome.seconds * 1000 : 0,
    });
  await ports.publish(stage, next, outcome);
  const line = stageLine(stage, next, outcome);
  ports.log.info(line, 'a stage ended');
  noteStage(span, line);
  return further && { stage: further, job: kept };
}

const JUDGED: Outcome['kind'][] = ['scanned', 'pushed', 'failed'];

/** It is part of what is announced: the stage ended, whether or not it can be read. */
async function standingAfter(
  job: StagingJob,
  { kind }: Outcome,
  { standing, log }: Pick<RunStagePorts, 'standing' | 'log'>,
): Promise<JobStanding | null> {
  if (!JUDGED.includes(kind)) return null;
  return standing(job).catch((err: unknown) => {
    log.warn({ err, job: job.id }, 'the standing of a job is unknown');
    return null;
  });
}

async function perform(
  stage: Stage,
  attempt: StageAttempt,
  { stages, backoff }: RunStagePorts,
): Promise<Outcome> {
  try {
    if (attempt.job().cancelRequested) return { kind: 'cancelled' };
    assertAttemptsLeft(attempt.job(), backoff);
    return await stages[stage](attempt);
  } catch (error) {
    const interruption = attempt.interruption();
    return interruption ? { kind: interruption } : outcomeOfFailure(error, attempt, backoff);
  }
}

/** The row is deleted, past this stage, or another worker's. This attempt has no effect. */
async function skipStage(
  stage: Stage,
  id: string,
  { jobs, dispatch, discard, log }: RunStagePorts,
): Promise<void> {
  const row = await jobs.find(id);
  log.info({ job: id, stage, status: row?.status ?? 'deleted' }, 'nothing to do, or fenced out');
  if (!row) await discard(id);
  else if (nextStage(row) !== stage) await dispatch(row, { delayMs: 0 });
}
