import { conflict, isAppError, unavailable } from '@portcullis/errors';

export type AbortCause = 'cancelled' | 'made_room' | 'stopping';

const CODES = {
  cancelled: 'JOB_CANCELLED',
  made_room: 'JOB_MADE_ROOM',
  stopping: 'WORKER_STOPPING',
} as const satisfies Record<AbortCause, string>;

/** The reasons with which a running stage is aborted, as errors with codes. */
export function cancelled(): Error {
  return conflict(CODES.cancelled, 'the job was cancelled');
}

export function stopping(): Error {
  return unavailable(CODES.stopping, 'the worker is stopping');
}

export function isStopping(error: unknown): boolean {
  return isAppError(error) && error.code === CODES.stopping;
}

export function preempted(): Error {
  return conflict(CODES.made_room, 'the job made room for those of other accounts');
}

/** Why a handler's signal was aborted; null where it was not. */
export function abortCause(signal: AbortSignal): AbortCause | null {
  if (!signal.aborted) return null;
  const { reason } = signal;
  if (!isAppError(reason)) return 'stopping';
  if (reason.code === CODES.cancelled) return 'cancelled';
  return reason.code === CODES.made_room ? 'made_room' : 'stopping';
}
