/**
 * Errors of the product. A thrower chooses the kind; the tables that map a kind to an HTTP status,
 * an OCI error code or a retry are exhaustive and are kept where they are used.
 */
import { OciError, type OciErrorKind, type OciErrorOptions } from '@portcullis/oci/errors';

/** The kinds of the registry library are the product's, so its errors need no translation. */
export type ErrorKind = OciErrorKind;

export class AppError extends OciError {
  override readonly name: string = 'AppError';
}

type Factory = (code: string, message: string, options?: OciErrorOptions) => AppError;

function factory(kind: ErrorKind): Factory {
  return (code, message, options) => new AppError(kind, code, message, options);
}

/** The input is wrong; the message names the field and the fix. */
export const invalid = factory('invalid');
export const unauthenticated = factory('unauthenticated');
export const forbidden = factory('forbidden');
/** Unknown, or not visible to the caller. */
export const notFound = factory('not_found');
/** In conflict with the present state. */
export const conflict = factory('conflict');
export const tooLarge = factory('too_large');
export const rateLimited = factory('rate_limited');
/** A service that is needed cannot be reached, or failed itself. */
export const unavailable = factory('unavailable');

/** True for errors of the product and of the registry library alike. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof OciError;
}

/** What was asked for, or null where it does not exist. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return null;
    throw error;
  }
}

/**
 * Codes of faults that a registry causes on purpose, so that a later attempt fails the same way.
 */
const PERMANENT = new Set(['REDIRECT_REFUSED']);

/** The one retry rule: whether the same work may succeed later, without a change by anyone. */
export function isTransient(error: unknown): error is AppError {
  if (!isAppError(error) || PERMANENT.has(error.code)) return false;
  return error.kind === 'unavailable' || error.kind === 'rate_limited';
}
