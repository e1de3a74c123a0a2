import { randomUUID } from 'node:crypto';
import type { Logger } from '@portcullis/runtime';
import type { RequestHandler, Response } from 'express';

/** What the first middleware attaches to each request. */
export interface RequestLocals {
  requestId: string;
  startedAt: number;
  log: Logger;
}

const GIVEN = /^[A-Za-z0-9._-]{8,128}$/;

/**
 * A harmless `X-Request-Id` of the caller is kept, so that one id follows a request through several
 * services.
 */
export function requestId(log: Logger, now: () => number): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const id = given && GIVEN.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', id);
    const locals: RequestLocals = {
      requestId: id,
      startedAt: now(),
      log: log.child({ request_id: id }),
    };
    Object.assign(response.locals, locals);
    next();
  };
}

export function localsOf(response: Response): RequestLocals {
  const { requestId: id, startedAt, log } = response.locals;
  return { requestId: id, startedAt, log };
}
