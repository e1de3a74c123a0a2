/**
 * The span of each request to the API and to the registry. It continues the trace of the caller,
 * and is named by the operation's path template: paths have names of images, and queries secrets.
 */
import { along, type OpenSpan, remoteSpan, startSpan } from '@portcullis/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { isProbe } from './access-log.ts';
import { localsOf } from './client/request-id.ts';
import { kindOf, METHODS } from './metrics.ts';

export const traceRequests: RequestHandler = (request, response, next) => {
  const span = isTraced(request) ? open(request, response) : null;
  if (!span) return next();
  response.once('close', () => {
    describe(span, request, response);
    span.end();
  });
  along({ span }, next);
};

function isTraced({ path }: Request): boolean {
  return /^\/(?:api|v2)(?:\/|$)/.test(path) && !isProbe(path);
}

function open(request: Request, response: Response): OpenSpan | null {
  const order = {
    name: methodOf(request),
    kind: 'server',
    attributes: {
      'http.request.method': methodOf(request),
      'portcullis.request.id': localsOf(response).requestId,
    },
  } as const;
  return along({ span: remoteSpan(request.get('traceparent')) }, () => startSpan(order));
}

/** The route is known when the request ends. */
function describe(span: OpenSpan, request: Request, response: Response): void {
  const route = routeOf(request, response);
  const { statusCode: status } = response;
  span.rename(`${methodOf(request)} ${route}`);
  span.note({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500) span.fail(String(status));
  else if (!response.writableFinished) span.fail('cut_off');
}

function routeOf({ originalUrl }: Request, { locals }: Response): string {
  const kind = kindOf(originalUrl.split('?', 1)[0] ?? '');
  if (kind === null)
    return typeof locals.operation === 'string' ? `/api${locals.operation}` : '/api';
  return V2_ROUTES[kind] ?? `/v2/{name}/${kind}`;
}

const V2_ROUTES: Record<string, string> = {
  other: '/v2',
  token: '/v2/token',
  _catalog: '/v2/_catalog',
};

function methodOf({ method }: Request): string {
  return METHODS.has(method) ? method : '_OTHER';
}
