/**
 * The one error family of the product. A thrower picks the kind; the tables that turn a kind into
 * an HTTP status, an OCI error code or a retry are exhaustive and stand where they are used.
 */
export const ERROR_KINDS = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'rate_limited',
  'unavailable',
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** Which end of a copy failed. */
export type Side = 'source' | 'target';

export interface ErrorOptions {
  /** What lies beneath; logged, never shown. */
  cause?: unknown;
  /** Facts for the reader: plain JSON, never a secret. */
  detail?: Record<string, unknown>;
  side?: Side;
  /** Seconds after which the same request may succeed (`Retry-After`). */
  retryAfter?: number;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;
  /** A stable upper-case word, e.g. `FOLDER_UNKNOWN`. */
  readonly code: string;
  readonly detail: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;
  side: Side | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.detail = options.detail;
    this.side = options.side;
    this.retryAfter = options.retryAfter;
  }
}

type Factory = (code: string, message: string, options?: ErrorOptions) => AppError;

function factory(kind: ErrorKind): Factory {
  return (code, message, options) => new AppError(kind, code, message, options);
}

/** The input is wrong; the message names the field and the fix. */
export const invalid = factory('invalid');
export const unauthenticated = factory('unauthenticated');
export const forbidden = factory('forbidden');
/** Unknown, or not visible to the caller. */
export const notFound = factory('not_found');
/** At odds with the present state. */
export const conflict = factory('conflict');
export const tooLarge = factory('too_large');
export const rateLimited = factory('rate_limited');
/** A part that is needed can't be reached, or answered with a fault of its own. */
export const unavailable = factory('unavailable');

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}

/** Codes of faults that a registry causes on purpose, so that a later attempt fails the same way. */
const PERMANENT = new Set(['REDIRECT_REFUSED']);

/** The one retry rule: whether the same work may succeed later, without a change by anyone. */
export function isTransient(error: unknown): error is AppError {
  if (!isAppError(error) || PERMANENT.has(error.code)) return false;
  return error.kind === 'unavailable' || error.kind === 'rate_limited';
}
