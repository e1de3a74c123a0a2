/**
 * The end of the work for a request whose client left. A client may leave before the work begins,
 * such as while its token is read from the database: the event of that has passed by then.
 */
import type { Response } from 'express';

/** Aborted when the client leaves before it is answered; at once where it left before. */
export function leavingOf(response: Response): AbortSignal {
  const left = new AbortController();
  response.locals.left = left;
  const leave = () => {
    if (!response.writableFinished) left.abort();
  };
  response.once('close', leave);
  if (response.destroyed) leave();
  return left.signal;
}

/** The client left, and its work was ended: there is nothing to answer or to log. */
export function isGone({ destroyed, locals }: Response, error: unknown): boolean {
  const left: AbortController | undefined = locals.left;
  if (!destroyed || !left?.signal.aborted) return false;
  return error === left.signal.reason || isCutOff(error);
}

/** The error of a stream whose reader is gone. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
