/**
 * Checks the order of upload chunks (distribution spec § Pushing a blob in chunks), which the
 * registry does not.
 */
import type { IncomingMessage } from 'node:http';
import { invalid } from '@portcullis/errors';
import { sendStatus } from '../errors.ts';
import { lengthOf } from '../headers.ts';
import { parse, pathOf, type RepositoryRoute } from '../parse.ts';
import { formatQuery, type Query } from '../query.ts';
import type { V2, V2Call } from '../v2.ts';
import { assertSeal, type UploadRoute, withSeal } from './upload-session.ts';
import { offsetOf } from './upload-states.ts';

export interface UploadCall extends V2Call {
  route: UploadRoute;
}

/** @param forward sends the request with this query */
export async function serveUpload(
  v2: V2,
  call: UploadCall,
  forward: (query: Query) => Promise<void>,
): Promise<void> {
  const { request, v2Request, route, principal } = call;
  const query = assertSeal(v2.ports.tokenKey, principal.id, route, v2Request.query);
  const given = query.get('_state') ?? '';
  const state = (await v2.ports.uploads.recall(route.uuid)) ?? given;
  const offset = offsetOf(state);
  if (offset === null) return forward(query);
  const writes = v2Request.method === 'PATCH' || v2Request.method === 'PUT';
  if (writes && (offsetOf(given) !== offset || !goesOn(request, offset)))
    return refuse(v2, call, { state, offset });
  return forward(new Map([...query, ['_state', state]]));
}

/**
 * Stores what the registry's reply says about the next step.
 * @param location as sent to the client
 */
export async function noteUpload(
  v2: V2,
  route: RepositoryRoute,
  location: string | null,
): Promise<void> {
  const next = location?.startsWith('/') ? parse('GET', location) : null;
  const state = next?.query.get('_state');
  if (next?.route.kind === 'upload' && state !== undefined)
    await v2.ports.uploads.remember(next.route.uuid, state);
  else if (route.kind === 'upload') await v2.ports.uploads.forget(route.uuid);
}

const CONTENT_RANGE = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d{1,15}|\*))?$/;

/**
 * Without a range the body is the rest of the blob.
 * @throws invalid `SIZE_INVALID` if its length differs from its range
 */
function goesOn({ headers }: IncomingMessage, offset: number): boolean {
  const contentRange = headers['content-range'];
  if (contentRange === undefined) return true;
  const [, first, last] = CONTENT_RANGE.exec(contentRange.trim()) ?? [];
  if (first === undefined || Number(first) !== offset || Number(last) < offset) return false;
  const length = lengthOf(headers);
  if (length !== undefined && length !== Number(last) - offset + 1) {
    throw invalid('SIZE_INVALID', 'the chunk is not as long as its Content-Range says');
  }
  return true;
}

interface Place {
  state: string;
  offset: number;
}

function refuse(
  v2: V2,
  { request, response, route, principal }: UploadCall,
  { state, offset }: Place,
): void {
  const query = withSeal(v2.ports.tokenKey, principal.id, route, new Map([['_state', state]]));
  response.set({
    Location: pathOf(route) + formatQuery(query),
    // The registry also answers `0-0` for an empty upload.
    Range: `0-${Math.max(0, offset - 1)}`,
    'Docker-Upload-UUID': route.uuid,
  });
  const message = `the upload goes on at byte ${offset}, and at the address given here`;
  sendStatus(request, response, 416, { code: 'BLOB_UPLOAD_INVALID', message });
}
