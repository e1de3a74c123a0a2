import { conflict, isAppError, unavailable } from '@portcullis/errors';

export type AbortCause = 'cancelled' | 'stopping';

const CODES = { cancelled: 'JOB_CANCELLED', stopping: 'WORKER_STOPPING' } as const satisfies Record<
  AbortCause,
  string
>;

/** Errors, so that `throwIfAborted` and everything that is given the signal fail with something that can be told apart. */
export function cancelled(): Error {
  return conflict(CODES.cancelled, 'the job was cancelled');
}

export function stopping(): Error {
  return unavailable(CODES.stopping, 'the worker is stopping');
}

/** Why a handler's signal was aborted; null where it wasn't. */
export function abortCause(signal: AbortSignal): AbortCause | null {
  if (!signal.aborted) return null;
  return isAppError(signal.reason) && signal.reason.code === CODES.cancelled ? 'cancelled' : 'stopping';
}
