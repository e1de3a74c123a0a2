import type { Request, RequestHandler, Response } from 'express';
import { localsOf } from './caller/request-id.ts';

export type Measure = (request: Request, response: Response, durationMs: number) => void;

/**
 * Writes one log line and the metrics of each request; the path without its query, which may hold
 * secrets.
 */
export function accessLog(now: () => number, measure: Measure): RequestHandler {
  return (request, response, next) => {
    response.once('close', () => {
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
      rootLog[response.statusCode >= 500 ? 'error' : QUIET.has(line.path ?? '') ? 'debug' : 'info'](
        line,
        'request',
      );
    });
    next();
  };
}

/** Probes, and the page's health check, come every few seconds. */
const QUIET = new Set(['/api/health', '/api/health/dependencies', '/api/ready']);
