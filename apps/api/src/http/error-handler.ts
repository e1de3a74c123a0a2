import { notFound } from '@portcullis/errors';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { localsOf } from './client/request-id.ts';
import { failureOf, problem } from './problem.ts';

export const errorHandler: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const failure = failureOf(error);
  const { log, requestId } = localsOf(response);
  if (failure.status >= 500) log.error({ err: error }, 'the request failed');
  // A started response cannot be changed; closing the connection shows the client that it is
  // incomplete.
  if (response.headersSent) return void response.destroy();
  if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (failure.retryAfter !== undefined)
    response.setHeader('Retry-After', String(failure.retryAfter));
  sendProblem(response, problem(failure, requestId));
};

function sendProblem(response: Response, body: ReturnType<typeof problem>): void {
  response.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}

/** Paths below `/api` never get the web page. */
export const unknownRoute: RequestHandler = () => {
  throw notFound('ROUTE_UNKNOWN', 'There is nothing at this path.');
};
