import { randomUUID } from 'node:crypto';
import { forRequest, type Logger, unredacted } from '@portcullis/runtime';
import type { RequestHandler, Response } from 'express';

/** What the first middleware attaches to each request. */
export interface RequestLocals {
  requestId: string;
  startedAt: number;
  /** Adds the id to its lines; made when it is first used, because that takes long. */
  readonly log: Logger;
  /** For a line that states the id itself, and nothing that may be a secret: see `unredacted`. */
  rootLog: Logger;
}

const GIVEN = /^[A-Za-z0-9._-]{8,128}$/;

/** That of the caller where it is harmless. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && GIVEN.test(given) ? given : randomUUID();
}

/**
 * A harmless `X-Request-Id` of the caller is kept, so that one id follows a request through several
 * services. What the request sets going has the id, too.
 */
export function requestId(log: Logger, now: () => number): RequestHandler {
  const rootLog = unredacted(log);
  return (request, response, next) => {
    const id = requestIdOf(request.get('x-request-id'));
    response.setHeader('X-Request-Id', id);
    response.locals.request = localsFor(id, now(), { log, rootLog });
    forRequest(id, next);
  };
}

function localsFor(
  id: string,
  startedAt: number,
  { log, rootLog }: Pick<RequestLocals, 'log' | 'rootLog'>,
): RequestLocals {
  let child: Logger | undefined;
  return {
    requestId: id,
    startedAt,
    rootLog,
    get log() {
      child ??= log.child({ request_id: id });
      return child;
    },
  };
}

export function localsOf(response: Response): RequestLocals {
  return response.locals.request;
}
