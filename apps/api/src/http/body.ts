import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';

const LIMIT = '1mb';

const parse = express.json({ limit: LIMIT, strict: false, type: isJson });

/** JSON, whatever it is, for operations that take a body; another media type is a 415. */
export const jsonBody: RequestHandler = (request, response, next) => {
  if (isJson(request)) return parse(request, response, next);
  if (isEmpty(request)) {
    // The schema then names everything that is missing.
    request.body = {};
    return next();
  }
  const error = new Error('the body must be JSON');
  next(Object.assign(error, { type: 'media.unsupported' }));
};

function isJson(request: IncomingMessage): boolean {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
