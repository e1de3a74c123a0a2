/**
 * Checks the order of upload chunks (distribution spec § Pushing a blob in chunks), which the
 * registry does not.
 */
import type { IncomingMessage } from 'node:http';
import { invalid } from '@portcullis/errors';
import { sendStatus } from '../errors.ts';
import { lengthOf } from '../headers.ts';
import { formatQuery } from '../query.ts';
import { pathOf } from '../routes.ts';
import type { V2, V2Call } from '../v2.ts';
import { type UploadRoute, withSeal } from './upload-session.ts';

export interface UploadCall extends V2Call {
  route: UploadRoute;
}

const CONTENT_RANGE = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d{1,15}|\*))?$/;

/**
 * Whether the request continues at this offset. Without a range the body is the rest of the blob.
 * @throws invalid `SIZE_INVALID` if its length differs from its range
 */
export function goesOn({ headers }: IncomingMessage, offset: number): boolean {
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

interface UploadOffset {
  /** The value of `_state` in the address at which the upload continues. */
  state: string;
  offset: number;
}

/** Replies 416 with the address and the offset at which the upload continues. */
export function refuseRange(
  v2: V2,
  { request, response, route, principal }: UploadCall,
  { state, offset }: UploadOffset,
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
