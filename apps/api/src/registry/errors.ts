/** Error replies in the form of the distribution spec (§ Error Codes). */
import { type AppError, type ErrorKind, isAppError } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { Request, Response } from 'express';
import { holdsBodyBack } from '../http/expect-continue.ts';
import { warningOf } from './warning.ts';

export const OCI_CODES = [
  'BLOB_UNKNOWN',
  'BLOB_UPLOAD_INVALID',
  'BLOB_UPLOAD_UNKNOWN',
  'DIGEST_INVALID',
  'MANIFEST_BLOB_UNKNOWN',
  'MANIFEST_INVALID',
  'MANIFEST_UNKNOWN',
  'NAME_INVALID',
  'NAME_UNKNOWN',
  'PAGINATION_NUMBER_INVALID',
  'SIZE_INVALID',
  'TAG_INVALID',
  'UNAUTHORIZED',
  'DENIED',
  'UNSUPPORTED',
  'TOOMANYREQUESTS',
  'UNAVAILABLE',
  'UNKNOWN',
] as const;
export type OciCode = (typeof OCI_CODES)[number];

/** The code for errors whose code is not in the specification. */
const TABLE = {
  invalid: { status: 400, code: 'UNSUPPORTED' },
  unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'DENIED' },
  not_found: { status: 404, code: 'NAME_UNKNOWN' },
  conflict: { status: 409, code: 'DENIED' },
  too_large: { status: 413, code: 'SIZE_INVALID' },
  rate_limited: { status: 429, code: 'TOOMANYREQUESTS' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
} as const satisfies Record<ErrorKind, { status: number; code: OciCode }>;

const RETRY_AFTER_SECONDS = 5;

export interface RegistryErrorBody {
  status: number;
  retryAfter: number | undefined;
  body: { errors: { code: OciCode; message: string; detail?: unknown }[] };
}

/** Errors other than `AppError` are internal and not shown. */
export function ociError(error: unknown): RegistryErrorBody {
  if (isTimeout(error)) return SLOW;
  if (!isAppError(error)) return plain(500, 'UNKNOWN', 'something went wrong on our side');
  const { status, code } = TABLE[error.kind];
  const isDenied = DENIED.has(error.code);
  const own = OCI_CODES.find((known) => known === error.code) ?? SAME[error.code];
  const shown = plain(
    isDenied ? 403 : own === 'UNSUPPORTED' ? 405 : status,
    own ?? code,
    error.message,
    detailOf(error, own),
  );
  return { ...shown, retryAfter: retryAfterOf(error) };
}

/** The built-in registry alone has a limit of time without a separate error. */
const SLOW: RegistryErrorBody = {
  ...plain(503, 'UNAVAILABLE', 'the built-in registry does not answer in time'),
  retryAfter: RETRY_AFTER_SECONDS,
};

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function plain(
  status: number,
  code: OciCode,
  message: string,
  detail?: unknown,
): RegistryErrorBody {
  const entry = { code, message, ...(detail !== undefined && { detail }) };
  return { status, retryAfter: undefined, body: { errors: [entry] } };
}

/**
 * Our code, so that a script can distinguish denials. The decision of the gate is only in the audit
 * event: some clients print the whole detail, and `GET /api/gate/explain` replies with it.
 */
function detailOf(error: AppError, own: OciCode | undefined): unknown {
  if (own) return error.detail;
  const { decision: _, ...detail } = error.detail ?? {};
  return { code: error.code, ...detail };
}

function retryAfterOf({ kind, retryAfter }: AppError): number | undefined {
  return (
    retryAfter ??
    (kind === 'unavailable' || kind === 'rate_limited' ? RETRY_AFTER_SECONDS : undefined)
  );
}

const REFUSALS: Record<number, OciCode> = {
  404: 'NAME_UNKNOWN',
  405: 'UNSUPPORTED',
  416: 'SIZE_INVALID',
};

/** The registry refused without an OCI error: an unknown route, or an unsatisfiable range. */
export function sendRefusal(response: Response, status: number): void {
  const code = REFUSALS[status] ?? 'UNKNOWN';
  response
    .status(status)
    .json(plain(status, code, `the registry refused the request (${status})`).body);
}

/** Our codes with an equivalent in the specification. */
const SAME: Record<string, OciCode> = {
  MANIFEST_UNSUPPORTED: 'MANIFEST_INVALID',
  MANIFEST_SCHEMA1: 'MANIFEST_INVALID',
  MANIFEST_TOO_WIDE: 'SIZE_INVALID',
  MANIFEST_TOO_LARGE: 'SIZE_INVALID',
  DELETE_UNSUPPORTED: 'UNSUPPORTED',
};

/** Refused for every account; clients expect 403 with `DENIED`. */
const DENIED: ReadonlySet<string> = new Set(['TAG_IMMUTABLE', 'QUOTA_EXCEEDED']);

/** A smaller unread body is drained after the reply; for a larger one the connection is closed. */
const DRAINABLE = 1024 * 1024;

export function sendError(
  request: Request,
  response: Response,
  error: unknown,
  log: Pick<Logger, 'error'>,
): void {
  // The client left, and what was done for it was ended.
  if (response.destroyed && isAbort(error)) return;
  const { status, retryAfter, body } = ociError(error);
  if (status >= 500)
    log.error({ err: error, method: request.method, path: request.path }, 'a /v2 request failed');
  if (response.headersSent) {
    response.destroy(); // A partial response must not look complete.
    return;
  }
  if (retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(retryAfter));
  send(request, response, status, body);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** A refusal with its own status. */
export function sendStatus(
  request: Request,
  response: Response,
  status: number,
  { code, message }: { code: OciCode; message: string },
): void {
  send(request, response, status, plain(status, code, message).body);
}

function send(
  request: Request,
  response: Response,
  status: number,
  body: RegistryErrorBody['body'],
): void {
  // A reply to HEAD has no body: clients that show warnings show the reason (distribution spec §
  // Warnings).
  if (request.method === 'HEAD')
    response.setHeader('Warning', warningOf(body.errors[0]?.message ?? ''));
  if (bodyIsLong(request) || holdsBodyBack(request)) response.setHeader('Connection', 'close');
  response.status(status).json(body);
}

function bodyIsLong({ headers, readableEnded }: Request): boolean {
  if (readableEnded) return false;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > DRAINABLE
  );
}
