/** Logs each request when its reply has ended. */
import { AsyncResource } from 'node:async_hooks';
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
      const line = {
        request_id: requestId,
        method: request.method,
        path: request.originalUrl.split('?', 1)[0],
        status: response.statusCode,
        duration_ms: Math.round(durationMs),
        client_ip: request.ip,
        ...(!response.writableFinished && { cut_off: true }),
      };
      rootLog[response.statusCode >= 500 ? 'error' : isProbe(line.path ?? '') ? 'debug' : 'info'](
        line,
        'request',
      );
    });
    response.once('close', written);
    next();
  };
}

/** Probes, and the page's health check, come every few seconds. */
const PROBES = new Set(['/api/health', '/api/health/dependencies', '/api/ready']);

export function isProbe(path: string): boolean {
  return PROBES.has(path);
}
