/** Turns a thrown error into an outcome: retry with exponential backoff and jitter, or failure. */
import { isDiskWait, type JobError, type Outcome, type StagingJob } from '@portcullis/domain';
import { isAppError, isTransient, unavailable } from '@portcullis/errors';
import { decisionIn, isScannedAtRetry } from '@portcullis/gate';
import { isTimeoutFault } from '@portcullis/oci/remote';
import type { StageAttempt } from './attempt.ts';

export interface Backoff {
  /** Of one stage, including the first. */
  maxAttempts: number;
  firstSeconds: number;
  /** Where a host asks for a longer pause, the job fails. */
  longestSeconds: number;
  /** 0 ≤ random() < 1 */
  random(): number;
}

/** Until the next attempt of a job that waits for a disk. */
const DISK_PAUSE_SECONDS = 60;
/** A silent or slow server holds a slot for minutes in each attempt. */
const MOST_COSTLY_ATTEMPTS = 2;

/**
 * Refuses work whose attempts ended without an outcome too often: its worker died each time.
 * @throws unavailable `TOO_MANY_TRIES`
 */
export function assertAttemptsLeft(
  { attempts }: Pick<StagingJob, 'attempts'>,
  { maxAttempts }: Backoff,
): void {
  if (attempts > 2 * maxAttempts)
    throw unavailable('TOO_MANY_TRIES', `${attempts - 1} attempts ended without an outcome`);
}

export function outcomeOfFailure(
  thrown: unknown,
  attempt: Pick<StageAttempt, 'job' | 'log'>,
  backoff: Backoff,
): Outcome {
  const { attempts } = attempt.job();
  attempt.log.warn({ err: thrown, attempts }, 'the stage failed');
  const error = jobError(thrown);
  const pause = isRepeated(thrown) ? pauseAfter(thrown, attempts, backoff) : null;
  if (pause) return { kind: 'put_off', error, ...pause };
  const decision = decisionIn(thrown);
  return { kind: 'failed', error, ...(decision && { decision }) };
}

export interface Pause {
  seconds: number;
  /** The attempt is not counted. */
  uncounted?: true;
}

/** The pause before the next attempt; null when there is none. */
export function pauseAfter(thrown: unknown, attempts: number, backoff: Backoff): Pause | null {
  const fault = isAppError(thrown) ? thrown : null;
  const retryAfter = fault?.retryAfter;
  if (fault && isDiskWait(fault.code))
    return {
      seconds: Math.min(retryAfter ?? DISK_PAUSE_SECONDS, backoff.longestSeconds),
      uncounted: true,
    };
  const maxAttempts =
    fault && isTimeoutFault(fault)
      ? Math.min(MOST_COSTLY_ATTEMPTS, backoff.maxAttempts)
      : backoff.maxAttempts;
  const seconds = secondsToWait(attempts, retryAfter, { ...backoff, maxAttempts });
  return seconds === null ? null : { seconds };
}

/** Whether the same stage may succeed later. Other errors are internal: disk, database, a bug. */
function isRepeated(thrown: unknown): boolean {
  return !isAppError(thrown) || isTransient(thrown);
}

/** The text of an internal error is hidden. A retry of the job repeats more than the stage. */
function jobError(thrown: unknown): JobError {
  if (!isAppError(thrown))
    return {
      code: 'INTERNAL',
      message: 'an internal fault; see the worker log',
      side: null,
      retryable: true,
    };
  const { code, message, side } = thrown;
  return {
    code,
    message,
    side: side ?? null,
    retryable: isTransient(thrown) || isScannedAtRetry(thrown),
  };
}

/** Seconds until the next attempt; null when there is none. */
function secondsToWait(
  attempts: number,
  retryAfter: number | undefined,
  backoff: Backoff,
): number | null {
  if (attempts >= backoff.maxAttempts) return null;
  const grown = Math.min(backoff.firstSeconds * 2 ** (attempts - 1), backoff.longestSeconds);
  if (retryAfter === undefined) return grown * (0.5 + backoff.random() / 2);
  // Jitter is only added to `Retry-After`: an earlier retry would ignore the host's request.
  return retryAfter > backoff.longestSeconds ? null : retryAfter + grown * 0.25 * backoff.random();
}
