/** Why work in the background failed, as it is stored. */
import { isAppError } from '@portcullis/errors';

export type RunFailure = { code: string; message: string };

export function failureOf(cause: unknown): RunFailure {
  if (isAppError(cause)) return { code: cause.code, message: cause.message };
  return { code: 'INTERNAL', message: 'an internal fault; the log of the worker tells more' };
}
