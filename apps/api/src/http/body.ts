/**
 * Parses request bodies: JSON, and forms where an operation accepts them; anything else is a 415.
 */
import type { IncomingMessage } from 'node:http';
import { isAppError } from '@portcullis/errors';
import { parseJson } from '@portcullis/oci';
import express, { type RequestHandler } from 'express';

const LIMIT = 1024 * 1024;
/** Members and elements: a VEX document of 5,000 parts has as many. Each costs time to check. */
const MOST_VALUES = 32_000;
const LARGE_LIMIT = 8 * LIMIT;
const LARGE_MOST_VALUES = 100_000;
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT = '64kb';
/** Above this size a body is parsed in slices: it would hold the event loop. */
const MOST_AT_ONCE = 64 * 1024;

export const jsonBody: RequestHandler = readJson(LIMIT, MOST_VALUES);
export const largeJsonBody: RequestHandler = readJson(LARGE_LIMIT, LARGE_MOST_VALUES);

/** An empty body stays undefined, which no schema accepts. */
function readJson(limit: number, maxValues: number): RequestHandler {
  const readBytes = express.raw({ limit, type: isJson });
  return (request, response, next) => {
    if (!isJson(request) && !isEmpty(request)) return next(fault('media.unsupported'));
    if (!isUtf8(request)) return next(fault('charset.unsupported'));
    readBytes(request, response, (error?: unknown) => {
      if (error) return next(error);
      const bytes: unknown = request.body;
      request.body = undefined;
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) return next();
      parseBody(bytes, maxValues).then((body) => {
        request.body = body;
        next();
      }, next);
    });
  };
}

/** @throws errors of the types of Express's body parser */
export async function parseBody(bytes: Buffer, maxValues?: number): Promise<unknown> {
  try {
    if (bytes.length <= MOST_AT_ONCE) return JSON.parse(bytes.toString());
    return await parseJson(bytes, maxValues === undefined ? {} : { maxValues });
  } catch (error) {
    if (isAppError(error) && error.detail?.limit === 'values') throw fault('entity.too.large');
    if (error instanceof SyntaxError || isAppError(error)) throw fault('entity.parse.failed');
    throw error;
  }
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

/** JSON is UTF-8 (RFC 8259 § 8.1); clients name it all the same. */
function isUtf8({ headers }: IncomingMessage): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

export function fault(type: string): Error {
  return Object.assign(new Error(type), { type });
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
