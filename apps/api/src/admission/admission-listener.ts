/**
 * The HTTP interface of the admission webhook: reviews in, reviews out. API servers ask over
 * HTTP/2, which Express does not speak. See docs/decisions/0093-the-cluster-asks.md.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { ADMISSION_MODES, answeredReview, readAdmissionPath } from '@portcullis/domain/admission';
import { notFound } from '@portcullis/errors';
import { forRequest, type Logger, unredacted } from '@portcullis/runtime';
import { logRequest } from '../http/access-log.ts';
import { isJson } from '../http/body.ts';
import { requestIdOf } from '../http/client/request-id.ts';
import { failureOf, problem } from '../http/problem.ts';
import type { AdmissionWebhook } from './admission.ts';
import { readReviewBody } from './review-body.ts';

export interface AdmissionListenerPorts {
  admission: AdmissionWebhook;
  /** Observes the duration of each answer. */
  measure(mode: string, seconds: number): void;
  log: Logger;
}

export type AdmissionListener = (request: Asked, response: Answering) => void;

type Asked = IncomingMessage | Http2ServerRequest;
type Answering = ServerResponse | Http2ServerResponse;

interface Reply {
  status: number;
  type: string;
  body: object;
  headers?: Record<string, string>;
}

export function admissionListener({
  admission,
  measure,
  log,
}: AdmissionListenerPorts): AdmissionListener {
  const rootLog = unredacted(log);

  async function answer(request: Asked): Promise<Reply> {
    const path = readAdmissionPath(pathOf(request));
    if (path === null) throw noPath();
    if (request.method !== 'POST')
      throw Object.assign(new Error('a review is posted'), { type: 'method.unsupported' });
    if (!isJson(request))
      throw Object.assign(new Error('a review is JSON'), { type: 'media.unsupported' });
    const body = await readReviewBody(request);
    const from = performance.now();
    const answered = await admission.answer(path, body);
    measure(path.mode, (performance.now() - from) / 1_000);
    return { status: 200, type: 'application/json', body: answeredReview(answered) };
  }

  function refusal(error: unknown, requestId: string): Reply {
    const failure = failureOf(error);
    const { status, retryAfter } = failure;
    if (status >= 500) log.error({ err: error, request_id: requestId }, 'the request failed');
    const headers = {
      ...(status === 405 && { allow: 'POST' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    };
    return {
      ...{ status, headers, type: 'application/problem+json' },
      body: problem(failure, requestId),
    };
  }

  return (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.headers['x-request-id']);
    forRequest(requestId, () => {
      const written = AsyncResource.bind(() =>
        logRequest(rootLog, {
          ...{ requestId, method: request.method, path: pathOf(request) },
          ...{ status: response.statusCode, isWhole: response.writableFinished },
          ...{ durationMs: performance.now() - startedAt, clientIp: request.socket.remoteAddress },
        }),
      );
      response.once('close', written);
      void answer(request)
        .catch((error: unknown) => refusal(error, requestId))
        .then((reply) => send(response, reply, requestId));
    });
  };
}

function send(response: Answering, { status, type, body, headers }: Reply, id: string): void {
  const text = JSON.stringify(body);
  const head = {
    ...{ 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(text) },
    ...{ 'x-request-id': id, ...headers },
  };
  // Both have the same methods, of different types.
  (response as ServerResponse).writeHead(status, head).end(text);
}

function pathOf({ url = '' }: Asked): string {
  return url.split('?', 1)[0] ?? '';
}

function noPath(): Error {
  const form = `/admission[/${ADMISSION_MODES.join('|')}[/CLUSTER]]`;
  return notFound('ROUTE_UNKNOWN', `There is nothing at this path; webhooks post to ${form}.`);
}
