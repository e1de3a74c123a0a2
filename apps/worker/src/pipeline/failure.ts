/** From a thrown error to an outcome: put off with exponential back-off and jitter, or failed for good. */
import type { JobError, Outcome, StagingJob } from '@portcullis/domain';
import { isAppError, isTransient, unavailable } from '@portcullis/errors';
import { isTimeoutFault } from '@portcullis/oci/remote';
import type { StageAttempt } from './attempt.ts';

export interface Backoff {
  /** Tries of one stage, the first included. */
  tries: number;
  firstSeconds: number;
  /** A host that asks for more is not waited for. */
  longestSeconds: number;
  /** 0 ≤ random() < 1 */
  random(): number;
}

/** A server that keeps us waiting holds a place for minutes in each try. */
const COSTLY_TRIES = 2;

/**
 * Refuses work whose attempts ended without an outcome too often: its worker died each time.
 * @throws unavailable `TOO_MANY_TRIES`
 */
export function assertAttemptsLeft(
  { attempts }: Pick<StagingJob, 'attempts'>,
  { tries }: Backoff,
): void {
  if (attempts > 2 * tries)
    throw unavailable('TOO_MANY_TRIES', `${attempts - 1} tries ended without an outcome`);
}

export function failure(
  thrown: unknown,
  attempt: Pick<StageAttempt, 'job' | 'log'>,
  backoff: Backoff,
): Outcome {
  const { attempts } = attempt.job();
  attempt.log.warn({ err: thrown, attempts }, 'the stage failed');
  const error = jobError(thrown);
  const pause = error.retryable ? pauseAfter(thrown, attempts, backoff) : null;
  return pause ? { kind: 'put_off', error, ...pause } : { kind: 'failed', error };
}

export interface Pause {
  seconds: number;
  /** It costs no try. */
  uncounted?: true;
}

/** Before the next try of what may pass; null when there is none. */
export function pauseAfter(thrown: unknown, attempts: number, backoff: Backoff): Pause | null {
  const fault = isAppError(thrown) ? thrown : null;
  const retryAfter = fault?.retryAfter;
  if (fault?.code === 'DISK_RESERVE')
    return {
      seconds: Math.min(retryAfter ?? Number.POSITIVE_INFINITY, backoff.longestSeconds),
      uncounted: true,
    };
  const tries =
    fault && isTimeoutFault(fault) ? Math.min(COSTLY_TRIES, backoff.tries) : backoff.tries;
  const seconds = secondsToWait(attempts, retryAfter, { ...backoff, tries });
  return seconds === null ? null : { seconds };
}

/** What isn't an AppError is ours (a disk, the database, a bug): hidden, and worth another try. */
function jobError(thrown: unknown): JobError {
  if (!isAppError(thrown))
    return {
      code: 'INTERNAL',
      message: 'an internal fault; see the worker log',
      side: null,
      retryable: true,
    };
  const { code, message, side } = thrown;
  return { code, message, side: side ?? null, retryable: isTransient(thrown) };
}

/** Seconds until the next try; null when there is none. */
export function secondsToWait(
  attempts: number,
  retryAfter: number | undefined,
  backoff: Backoff,
): number | null {
  if (attempts >= backoff.tries) return null;
  const grown = Math.min(backoff.firstSeconds * 2 ** (attempts - 1), backoff.longestSeconds);
  if (retryAfter === undefined) return grown * (0.5 + backoff.random() / 2);
  // Jitter only ever adds here: coming back early is what the host asked us not to do.
  return retryAfter > backoff.longestSeconds ? null : retryAfter + grown * 0.25 * backoff.random();
}
