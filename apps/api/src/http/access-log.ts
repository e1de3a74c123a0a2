import type { RequestHandler } from 'express';
import { localsOf } from './request-id.ts';

/** One line for each request. The path only: a query may hold what doesn't belong in a log. */
export function accessLog(now: () => number): RequestHandler {
  return (request, response, next) => {
    response.once('close', () => {
      const { log, startedAt } = localsOf(response);
      const line = {
        method: request.method,
        path: request.originalUrl.split('?', 1)[0],
        status: response.statusCode,
        duration_ms: Math.round(now() - startedAt),
        client_ip: request.ip,
        ...(!response.writableFinished && { cut_off: true }),
      };
      log[response.statusCode >= 500 ? 'error' : quiet(line.path) ? 'debug' : 'info'](line, 'request');
    });
    next();
  };
}

/** Probes come every few seconds. */
function quiet(path: string | undefined): boolean {
  return path === '/api/health' || path === '/api/ready';
}
