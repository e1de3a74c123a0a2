/**
 * Parses request bodies: JSON, and forms where an operation accepts them; anything else is a 415.
 */
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';

const LIMIT = '1mb';
const LARGE_LIMIT = '8mb';
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT = '64kb';

/** The body has no bytes although the headers announced some; the parser would make it `{}`. */
const empty = new WeakSet<IncomingMessage>();

/** A byte order mark is not part of JSON (RFC 8259 § 8.1); the parser would drop it silently. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export const jsonBody: RequestHandler = parseJson(LIMIT);
export const largeJsonBody: RequestHandler = parseJson(LARGE_LIMIT);

/** An empty body stays undefined, which no schema accepts. */
function parseJson(limit: string): RequestHandler {
  const parse = express.json({
    limit,
    strict: false,
    type: isJson,
    verify(request, _, bytes) {
      if (bytes.length === 0) empty.add(request);
      if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) throw unparsable();
    },
  });
  return (request, response, next) => {
    if (!isJson(request) && !isEmpty(request)) {
      const error = new Error('the body must be JSON');
      return next(Object.assign(error, { type: 'media.unsupported' }));
    }
    parse(request, response, (error?: unknown) => {
      if (empty.has(request)) request.body = undefined;
      next(error);
    });
  };
}

const parseForm = express.urlencoded({
  limit: FORM_LIMIT,
  extended: false,
  type: FORM,
  parameterLimit: 20,
});

/** A field that is repeated becomes a list, which no schema of a form accepts (RFC 6749 § 3.2). */
export const formOrJsonBody: RequestHandler = (request, response, next) => {
  if (request.is(FORM) === false) return jsonBody(request, response, next);
  parseForm(request, response, next);
};

export function isJson(request: Pick<IncomingMessage, 'headers'>): boolean {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}

function unparsable(): Error {
  return Object.assign(new Error('the body begins with a byte order mark'), {
    type: 'entity.parse.failed',
  });
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
