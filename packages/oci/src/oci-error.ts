/**
 * Error class of this package. `kind` says what sort of failure it is, `code` which failure
 * exactly, and `detail` has the parameters of the code; the message is for people and may change.
 * Sources and targets throw this class or a subclass, so that a copy can mark the end that failed.
 */

/** What sort of failure it is; retries and status codes depend on it. */
const OCI_ERROR_KINDS = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'rate_limited',
  'unavailable',
] as const;
export type OciErrorKind = (typeof OCI_ERROR_KINDS)[number];

/** The end of a copy that failed. */
export type Side = 'source' | 'target';

export interface OciErrorOptions {
  /** The underlying error, for logs. */
  cause?: unknown;
  /** Parameters of the code: plain JSON, never a secret. */
  detail?: Record<string, unknown>;
  side?: Side;
  /** Seconds after which the same request may succeed (`Retry-After`). */
  retryAfter?: number;
}

export class OciError extends Error {
  override readonly name: string = 'OciError';
  readonly kind: OciErrorKind;
  /** A stable word in upper case, such as `MANIFEST_UNKNOWN`. */
  readonly code: string;
  readonly detail: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;
  side: Side | undefined;

  constructor(kind: OciErrorKind, code: string, message: string, options: OciErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.detail = options.detail;
    this.side = options.side;
    this.retryAfter = options.retryAfter;
  }
}

type Factory = (code: string, message: string, options?: OciErrorOptions) => OciError;

function factory(kind: OciErrorKind): Factory {
  return (code, message, options) => new OciError(kind, code, message, options);
}

export const invalid = factory('invalid');
export const unauthenticated = factory('unauthenticated');
export const forbidden = factory('forbidden');
export const notFound = factory('not_found');
export const conflict = factory('conflict');
export const tooLarge = factory('too_large');
export const rateLimited = factory('rate_limited');
export const unavailable = factory('unavailable');

export function isOciError(error: unknown): error is OciError {
  return error instanceof OciError;
}
