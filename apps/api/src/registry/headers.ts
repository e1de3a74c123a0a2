/**
 * Allow-list of the headers that the proxy passes on; credentials, cookies, forwarding and
 * hop-by-hop headers are dropped.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { invalid } from '@portcullis/errors';
import { upstreamAccept } from './manifests/negotiation.ts';
import type { V2Request } from './routes.ts';

const ASKED = [
  'accept',
  'content-type',
  'content-range',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'user-agent',
] as const;
const FRAMING = ['content-length', 'transfer-encoding'] as const;
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Refuses a body with GET, HEAD or DELETE: Node forwards it without framing, and the registry would
 * read it as the next, unchecked request.
 * @throws invalid `BODY_UNEXPECTED`
 */
export function assertFraming(method: string, headers: IncomingHttpHeaders): void {
  if (hasBody(headers) && !WITH_BODY.has(method))
    throw invalid('BODY_UNEXPECTED', `a ${method} request has no body here`);
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Undefined for a chunked body. */
export function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  const { 'transfer-encoding': chunked, 'content-length': length } = headers;
  return chunked !== undefined || length === undefined ? undefined : Number(length);
}

export function upstreamHeaders(
  { method, route }: V2Request,
  given: IncomingHttpHeaders,
  /** The length of a body that was read already. */
  length?: number,
): IncomingHttpHeaders {
  const names = WITH_BODY.has(method) && length === undefined ? [...ASKED, ...FRAMING] : ASKED;
  const kept: IncomingHttpHeaders = {
    ...Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : []))),
    ...(route.kind === 'manifest' && { accept: upstreamAccept(given.accept) }),
    ...(isEmptySuffix(given.range) && { range: UNSATISFIABLE }),
    ...(length !== undefined && { 'content-length': String(length) }),
  };
  // The registry reads form bodies like the query: `mount` and `from` would bypass our checks.
  const isUpload = route.kind === 'upload' || route.kind === 'upload-start';
  return isUpload ? { ...kept, 'content-type': 'application/octet-stream' } : kept;
}

/**
 * A suffix of zero bytes (RFC 9110 § 14.1.2) is unsatisfiable, but the registry answers 206 without
 * a body.
 */
function isEmptySuffix(range: string | undefined): boolean {
  return range !== undefined && /^\s*bytes\s*=\s*-0+\s*$/i.test(range);
}

/** Starts after the end of any blob; the registry answers 416 with the blob's length. */
const UNSATISFIABLE = `bytes=${Number.MAX_SAFE_INTEGER}-`;

const ANSWERED = [
  'accept-ranges',
  'content-length',
  'content-range',
  'content-type',
  'docker-content-digest',
  'docker-upload-uuid',
  'etag',
  'last-modified',
  'oci-chunk-min-length',
  'range',
  'retry-after',
  'warning',
] as const;

/** location.ts rewrites `location` and `link`. */
export function answeredHeaders(upstream: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    ANSWERED.flatMap((name) => (upstream[name] ? [[name, upstream[name]]] : [])),
  );
}
