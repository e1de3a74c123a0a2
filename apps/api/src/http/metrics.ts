/**
 * Request metrics for Prometheus, labelled by the operation's path template and never by a raw
 * path.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { notFound, unauthenticated } from '@portcullis/errors';
import type { Metrics } from '@portcullis/runtime';
import type { RequestHandler, Response } from 'express';
import type { Measure } from './access-log.ts';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

/** `mount` sets the operation. */
export function measureRequests(metrics: Metrics): Measure {
  const requests = metrics.counter('http_requests_total', 'Requests to the REST API', [
    'method',
    'operation',
    'status',
  ]);
  const seconds = metrics.histogram(
    'http_request_seconds',
    'Duration of requests to the REST API',
    {
      labels: ['method', 'operation'],
      buckets: SECONDS,
    },
  );
  const v2Requests = metrics.counter('v2_requests_total', 'Requests to /v2', [
    'method',
    'kind',
    'status',
  ]);
  const v2Bytes = metrics.counter('v2_bytes_total', 'Bytes of /v2 on the wire', ['direction']);
  const wire = createWire();

  return (request, response, durationMs) => {
    // A nested router leaves only the rest of the path in `path`.
    const [path = ''] = request.originalUrl.split('?', 1);
    const v2 = kindOf(path);
    const method = METHODS.has(request.method) ? request.method : 'other';
    const status = response.statusCode;
    // The counters of the connection's next request begin here.
    const { read, written } = wire.settle(request.socket);
    if (v2 === null) {
      const operation = operationOf(path, response);
      requests.add({ method, operation, status });
      seconds.observe({ method, operation }, durationMs / 1000);
      return;
    }
    v2Requests.add({ method, kind: v2, status });
    v2Bytes.add({ direction: 'in' }, read);
    v2Bytes.add({ direction: 'out' }, written);
  };
}

export const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function operationOf(path: string, { locals }: Response): string {
  if (typeof locals.operation === 'string') return locals.operation;
  return path.startsWith('/api/') ? 'unknown' : 'page';
}

/** The kind of a registry route; null for other routes. */
export function kindOf(path: string): string | null {
  if (!/^\/v2(?:\/|$)/.test(path)) return null;
  const kind = /\/(manifests|blobs\/uploads|blobs|tags|referrers)\//.exec(path)?.[1];
  return kind ?? (/^\/v2\/(token|_catalog)$/.exec(path)?.[1] || 'other');
}

interface Wire {
  /** The bytes of a connection since the last call. */
  settle(socket: Socket): { read: number; written: number };
}

/** A connection serves one request after the other, so the differences are the requests' bytes. */
function createWire(): Wire {
  const known = new WeakMap<Socket, { read: number; written: number }>();
  return {
    settle(socket) {
      const { bytesRead, bytesWritten } = socket;
      const { read, written } = known.get(socket) ?? { read: 0, written: 0 };
      known.set(socket, { read: bytesRead, written: bytesWritten });
      return { read: bytesRead - read, written: bytesWritten - written };
    },
  };
}

/** Without a token this path is a 404; `METRICS_PORT` is the alternative. */
export function serveMetrics(
  metrics: Pick<Metrics, 'render' | 'contentType'>,
  token: string | undefined,
): RequestHandler {
  return async (request, response) => {
    if (token === undefined) throw notFound('ROUTE_UNKNOWN', 'There is nothing at this path.');
    if (!same(request.get('authorization') ?? '', `Bearer ${token}`))
      throw unauthenticated('TOKEN_INVALID', 'Send the token for metrics.');
    const text = await metrics.render();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  };
}

function same(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
