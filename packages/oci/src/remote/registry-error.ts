/**
 * Maps error responses of a registry (distribution spec § Error codes) to errors of this package.
 * Codes and messages of the registry are passed on, bounded, and marked as the registry's words.
 */
import {
  forbidden,
  invalid,
  notFound,
  OciError,
  type OciErrorKind,
  rateLimited,
  unauthenticated,
  unavailable,
} from '../oci-error.ts';
import type { HttpResponse } from './http/message.ts';
import { parseRetryAfter } from './http/retry.ts';
import { bodyWords, registryWords } from './registry-words.ts';

type Refusal = Pick<HttpResponse, 'status' | 'headers' | 'url' | 'loginWithheldFrom'> & {
  body: Uint8Array;
};

const MAX_CODES = 10;

/**
 * @param what The subject of the request, for the message: `the manifest of library/nginx:latest`.
 */
export function registryError(answer: Refusal, what: string): OciError {
  const { status, headers, url } = answer;
  const errors = errorsIn(answer.body);
  const codes = codesIn(errors);
  const said = registryWords(errors) ?? bodyWords(answer.body);
  const host = url.host;
  const why = `${said === undefined ? '' : `; the registry says: “${said}”`}${withheld(answer)}`;
  const retryAfter = parseRetryAfter(headers['retry-after'], Date.now());
  const options = {
    detail: { host, status, ...(codes.length > 0 && { codes }) },
    ...(retryAfter !== undefined && { retryAfter }),
  };
  if (codes.includes('TOOMANYREQUESTS') || status === 429) {
    return rateLimited(
      'REGISTRY_RATE_LIMITED',
      `${host} is rate-limiting us: ${what}${why}`,
      options,
    );
  }
  if (codes.includes('MANIFEST_BLOB_UNKNOWN')) {
    // Retryable: every blob was present before. A registry on a file system cannot read a blob
    // while another push rewrites it, or garbage collection removed one; a new copy checks again
    // what is missing.
    return unavailable('REGISTRY_LACKS_BLOB', `${host} lacks a blob of ${what}${why}`, options);
  }
  const coded = (code: string) => (isWithheld(answer) ? 'LOGIN_WITHHELD' : code);
  switch (status) {
    case 401:
      return unauthenticated(
        coded('REGISTRY_UNAUTHENTICATED'),
        `${host} requires valid credentials for ${what}${why}`,
        options,
      );
    case 403:
      return forbidden(
        coded('REGISTRY_FORBIDDEN'),
        `${host} refused this account: ${what}${why}`,
        options,
      );
    case 404:
      return notFound(coded(unknownCode(codes)), `${host} doesn't have ${what}${why}`, options);
    default:
      if (status >= 500)
        return unavailable(
          'REGISTRY_UNAVAILABLE',
          `${host} failed with ${status}: ${what}${why}`,
          options,
        );
      return invalid(
        'REGISTRY_REFUSED',
        `${host} refused ${what} (${refusal(status, codes)})${why}`,
        options,
      );
  }
}

/** Without the login the registry answers as to a stranger, which hides the cause. */
function isWithheld({ status, loginWithheldFrom }: Refusal): boolean {
  return loginWithheldFrom !== undefined && [401, 403, 404].includes(status);
}

function withheld(answer: Refusal): string {
  return isWithheld(answer) ? `; ${withheldMessage(answer.loginWithheldFrom ?? '')}` : '';
}

export function withheldMessage(host: string): string {
  return `the login was not sent to the token service ${host}, because it is on another domain than the registry; to allow it, save the registry with that host in token_hosts`;
}

export function isKind(error: unknown, kind: OciErrorKind): error is OciError {
  return error instanceof OciError && error.kind === kind;
}

function unknownCode(codes: readonly string[]): string {
  return codes.find((code) => code.endsWith('_UNKNOWN')) ?? 'NOT_FOUND';
}

function refusal(status: number, codes: readonly string[]): string {
  return codes.length > 0 ? codes.join(', ') : String(status);
}

function codesIn(errors: readonly unknown[]): string[] {
  const codes = errors.map((error: unknown) => (isRecord(error) ? error.code : undefined));
  return codes
    .filter((code): code is string => typeof code === 'string' && /^[A-Z][A-Z_]{0,63}$/.test(code))
    .slice(0, MAX_CODES);
}

/** To parse a longer body would hold the event loop. */
const MAX_ERROR_BYTES = 64 * 1024;

/** `errors` of the body; none for a longer body, or one of any other form. */
export function errorsIn(body: Uint8Array): unknown[] {
  if (body.byteLength > MAX_ERROR_BYTES) return [];
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isRecord(parsed) && Array.isArray(parsed.errors) ? parsed.errors : [];
  } catch {
    return [];
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
