/**
 * Maps error responses of a registry (distribution spec § Error codes) to errors of this package.
 * Codes are passed on; messages of the registry are not, because they may repeat credentials that
 * we sent.
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

type Refusal = Pick<HttpResponse, 'status' | 'headers' | 'url'> & { body: Uint8Array };

const MAX_CODES = 10;

/**
 * @param what The subject of the request, for the message: `the manifest of library/nginx:latest`.
 */
export function registryError(answer: Refusal, what: string): OciError {
  const { status, headers, url } = answer;
  const codes = parseCodes(answer.body);
  const host = url.host;
  const retryAfter = parseRetryAfter(headers['retry-after'], Date.now());
  const options = {
    detail: { host, status, ...(codes.length > 0 && { codes }) },
    ...(retryAfter !== undefined && { retryAfter }),
  };
  if (codes.includes('TOOMANYREQUESTS') || status === 429) {
    return rateLimited('REGISTRY_RATE_LIMITED', `${host} is rate-limiting us: ${what}`, options);
  }
  if (codes.includes('MANIFEST_BLOB_UNKNOWN')) {
    // Retryable: every blob was present before. A registry on a file system cannot read a blob
    // while another push rewrites it, or garbage collection removed one; a new copy checks again
    // what is missing.
    return unavailable('REGISTRY_LACKS_BLOB', `${host} lacks a blob of ${what}`, options);
  }
  switch (status) {
    case 401:
      return unauthenticated(
        'REGISTRY_UNAUTHENTICATED',
        `${host} requires valid credentials for ${what}`,
        options,
      );
    case 403:
      return forbidden('REGISTRY_FORBIDDEN', `${host} refused this account: ${what}`, options);
    case 404:
      return notFound(unknownCode(codes), `${host} doesn't have ${what}`, options);
    default:
      if (status >= 500)
        return unavailable(
          'REGISTRY_UNAVAILABLE',
          `${host} failed with ${status}: ${what}`,
          options,
        );
      return invalid(
        'REGISTRY_REFUSED',
        `${host} refused ${what} (${refusal(status, codes)})`,
        options,
      );
  }
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

/** Codes of `{errors: [{code}]}`; none for any other body. */
function parseCodes(body: Uint8Array): string[] {
  const errors = errorsIn(body);
  const codes = errors.map((error: unknown) => (isRecord(error) ? error.code : undefined));
  return codes
    .filter((code): code is string => typeof code === 'string' && /^[A-Z][A-Z_]{0,63}$/.test(code))
    .slice(0, MAX_CODES);
}

function errorsIn(body: Uint8Array): unknown[] {
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
