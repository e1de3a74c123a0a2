/** The span of an HTTP request to another host, such as a registry. */
import type { OpenSpan } from './span.ts';
import { codeOf, startSpan } from './traced.ts';
import { trailNow } from './trail.ts';

interface OutgoingRequest {
  method: string;
  hostname: string;
  port: string;
  pathname: string;
}

export interface OutgoingTrace {
  /** To send with the request. */
  headers: { traceparent: string };
  ended(outcome: { status?: number | undefined; error?: unknown }): void;
}

/**
 * Null where nothing is traced: a request of no trace begins none, because background work sends
 * thousands. The span has neither the path, which names images and upload sessions, nor a query.
 */
export function traceOutgoing({
  method,
  hostname,
  port,
  pathname,
}: OutgoingRequest): OutgoingTrace | null {
  if (trailNow().span === null) return null;
  const template = templateOf(pathname);
  const span = startSpan({
    name: template === null ? method : `${method} ${template}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': port === '' ? null : Number(port),
      'url.template': template,
    },
  });
  return (
    span && {
      headers: { traceparent: span.traceparent },
      ended: (outcome) => end(span, outcome),
    }
  );
}

/** Null for a path that is none of a registry. */
function templateOf(pathname: string): string | null {
  const kind = /^\/v2\/.+\/(manifests|blobs\/uploads|blobs|tags|referrers)(?:\/|$)/.exec(pathname);
  return kind?.[1] === undefined ? null : `/v2/{name}/${kind[1]}`;
}

/** A registry answers 401 and 404 in the ordinary course of a copy. */
function end(span: OpenSpan, { status, error }: { status?: number | undefined; error?: unknown }) {
  span.note({ 'http.response.status_code': status });
  if (error !== undefined) span.fail(codeOf(error));
  else if (status !== undefined && status >= 500) span.fail(String(status));
  span.end();
}
