/** Logs each request when its reply has ended. */
import { AsyncResource } from 'node:async_hooks';
import type { Logger } from '@portcullis/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { localsOf } from './client/request-id.ts';

export type Measure = (request: Request, response: Response, durationMs: number) => void;

/**
 * Writes one log line and the metrics of each request; the path without its query, which may hold
 * secrets.
 */
export function accessLog(now: () => number, measure: Measure): RequestHandler {
  return (request, response, next) => {
    // In the context of the request, so that the line has the id of its trace.
    const written = AsyncResource.bind(() => {
      const { requestId, rootLog, startedAt } = localsOf(response);
      const durationMs = now() - startedAt;
      measure(request, response, durationMs);
      logRequest(rootLog, {
        ...{ requestId, durationMs, method: request.method, clientIp: request.ip },
        path: request.originalUrl.split('?', 1)[0] ?? '',
        ...{ status: response.statusCode, isWhole: response.writableFinished },
      });
    });
    response.once('close', written);
    next();
  };
}

interface EndedRequest {
  requestId: string;
  method: string | undefined;
  /** Without its query. */
  path: string;
  status: number;
  durationMs: number;
  clientIp: string | undefined;
  /** Whether all of the reply was sent. */
  isWhole: boolean;
}

export function logRequest(
  log: Pick<Logger, 'error' | 'debug' | 'info'>,
  { requestId, method, path, status, durationMs, clientIp, isWhole }: EndedRequest,
): void {
  const line = {
    request_id: requestId,
    ...{ method, path, status },
    duration_ms: Math.round(durationMs),
    client_ip: clientIp,
    ...(!isWhole && { cut_off: true }),
  };
  log[status >= 500 ? 'error' : isProbe(path) ? 'debug' : 'info'](line, 'request');
}

/** Probes, and the page's health check, come every few seconds. */
const PROBES = new Set(['/api/health', '/api/health/dependencies', '/api/ready']);

export function isProbe(path: string): boolean {
  return PROBES.has(path);
}
