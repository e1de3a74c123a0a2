/** Uploads that the registry receives: their owner, and the state that it expects back. */
import { isStoredUpload } from '@portcullis/local-registry';
import { parse } from '../parse.ts';
import type { Query } from '../query.ts';
import type { RepositoryRoute } from '../routes.ts';
import type { V2 } from '../v2.ts';
import { goesOn, refuseRange, type UploadCall } from './chunk-order.ts';
import { assertSeal } from './upload-session.ts';
import { offsetOf } from './upload-states.ts';

interface Receivers {
  /** Sends the request with this query to the registry. */
  forward(query: Query): Promise<void>;
  /** Receives it into the registry's storage. */
  store(query: Query): Promise<void>;
}

/** @throws not_found `BLOB_UPLOAD_UNKNOWN` for the upload of another account or repository */
export async function serveUpload(
  v2: V2,
  call: UploadCall,
  { forward, store }: Receivers,
): Promise<void> {
  const { request, v2Request, route, principal } = call;
  const query = assertSeal(v2.ports.tokenKey, principal.id, route, v2Request.query);
  if (isStoredUpload(route.uuid)) return store(query);
  const given = query.get('_state') ?? '';
  const state = (await v2.ports.uploads.recall(route.uuid)) ?? given;
  const offset = offsetOf(state);
  if (offset === null) return forward(query);
  const writes = v2Request.method === 'PATCH' || v2Request.method === 'PUT';
  if (writes && (offsetOf(given) !== offset || !goesOn(request, offset)))
    return refuseRange(v2, call, { state, offset });
  return forward(new Map([...query, ['_state', state]]));
}

interface UploadReply {
  status: number;
  /** As sent to the client. */
  location: string | null;
}

/** Stores what the registry's reply says about the next step. */
export async function noteUpload(
  v2: V2,
  route: RepositoryRoute,
  { status, location }: UploadReply,
): Promise<void> {
  const next = location?.startsWith('/') ? parse('GET', location) : null;
  const upload = next?.route.kind === 'upload' ? next.route : route;
  if (upload.kind !== 'upload' || isStoredUpload(upload.uuid)) return;
  const state = next?.query.get('_state');
  if (state !== undefined) await v2.ports.uploads.remember(upload.uuid, state);
  // A refused step may be repeated.
  else if (status < 400 || status === 404) await v2.ports.uploads.forget(upload.uuid);
}
