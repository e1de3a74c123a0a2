/** The HTTP interface of the admission webhook: reviews in, reviews out. */
import { ADMISSION_MODES, answeredReview, readAdmissionPath } from '@portcullis/domain/admission';
import { notFound } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import express, { type Express } from 'express';
import { accessLog } from '../http/access-log.ts';
import { jsonBodyUpTo } from '../http/body.ts';
import { requestId } from '../http/client/request-id.ts';
import { errorHandler } from '../http/error-handler.ts';
import type { AdmissionWebhook } from './admission.ts';

export interface AdmissionAppPorts {
  admission: AdmissionWebhook;
  /** Observes the duration of each answer. */
  measure(mode: string, seconds: number): void;
  log: Logger;
}

/** API servers accept objects of 3 MiB, and a review of an update has two. */
const MOST_BODY = '7mb';

export function admissionApp({ admission, measure, log }: AdmissionAppPorts): Express {
  const now = () => performance.now();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(
    requestId(log, now),
    accessLog(now, () => {}),
  );
  app.post(PATHS, jsonBodyUpTo(MOST_BODY), async (request, response) => {
    const path = readAdmissionPath(request.path);
    if (path === null) throw noPath();
    const from = now();
    const answer = await admission.answer(path, request.body);
    measure(path.mode, (now() - from) / 1_000);
    response.json(answeredReview(answer));
  });
  app.all(PATHS, (_request, response) => {
    response.setHeader('Allow', 'POST');
    throw Object.assign(new Error('a review is posted'), { type: 'method.unsupported' });
  });
  app.use(() => {
    throw noPath();
  }, errorHandler);
  return app;
}

const PATHS = /^\/admission(?:\/[^/]+){0,2}$/;

function noPath(): Error {
  const form = `/admission[/${ADMISSION_MODES.join('|')}[/CLUSTER]]`;
  return notFound('ROUTE_UNKNOWN', `There is nothing at this path; webhooks post to ${form}.`);
}
