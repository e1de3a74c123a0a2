/**
 * The end of an upload that the registry receives: a PUT with the last bytes of a blob, or with all
 * of them. They are received first, and the write lock is held only for the request that completes
 * the blob, so that a slow client keeps no garbage collection waiting.
 */
import type { IncomingMessage } from 'node:http';
import { hasBody, lengthOf } from '../headers.ts';
import { parse } from '../parse.ts';
import { publicLocation } from '../proxy/location.ts';
import { registryUnavailable } from '../proxy/registry-fault.ts';
import { type Query, without } from '../query.ts';
import { settleReply } from '../reply.ts';
import type { V2Request } from '../routes.ts';
import type { RegistryReply, RepositoryCall, V2 } from '../v2.ts';
import type { UploadRoute } from './upload-session.ts';
import { noteUpload } from './uploads.ts';

export interface UploadEnd {
  call: RepositoryCall;
  route: UploadRoute;
  /** As the proxy would forward it. */
  v2Request: V2Request;
}

/** The request that remains to be forwarded, and its body. */
interface Rest {
  v2Request: V2Request;
  bytes: Buffer;
}

/**
 * A smaller body is read into memory: in a bucket, each request of an upload becomes several of the
 * store.
 */
const MOST_IN_MEMORY = 64 * 1024;

const MOST_LISTENERS = 20;

/** Whether the request ends an upload and has bytes of the blob. */
export function endsWithBytes({ call, v2Request }: UploadEnd): boolean {
  return v2Request.method === 'PUT' && hasBody(call.request.headers);
}

/**
 * Receives the bytes. Null where the client has its reply, or has disconnected.
 * @throws as `RegistryProxy.forward`
 */
export async function receiveBytes(v2: V2, end: UploadEnd): Promise<Rest | null> {
  const { call, v2Request } = end;
  const length = lengthOf(call.request.headers);
  if (length === undefined || length > MOST_IN_MEMORY) return sendBytes(v2, end);
  const bytes = await bytesOf(call.request);
  return bytes && { v2Request, bytes };
}

/** Null where the client has disconnected. */
async function bytesOf(request: IncomingMessage): Promise<Buffer | null> {
  try {
    return Buffer.concat(await request.toArray());
  } catch (error) {
    if (request.complete) throw error;
    return null;
  }
}

/** Sends the bytes as a chunk of the upload (distribution spec § Pushing a blob in chunks). */
async function sendBytes(v2: V2, { call, route, v2Request }: UploadEnd): Promise<Rest | null> {
  const { request, response } = call;
  const chunk = { ...v2Request, method: 'PATCH', query: without(v2Request.query, 'digest') };
  // The range was checked, and the registry knows fewer forms of it.
  delete request.headers['content-range'];
  // Two requests to the registry listen for the end of the reply.
  response.setMaxListeners(MOST_LISTENERS);
  let next: Query | null = null;
  await v2.proxy.forward(request, response, {
    v2Request: chunk,
    body: undefined,
    async answer(status, { headers }) {
      const reply = { status, headers };
      if (status !== 202)
        return { headers: await settleReply(v2, call, v2Request, reply), stages: [] };
      next = await nextStep(v2, route, reply);
      return null;
    },
  });
  if (next === null) return null;
  const query = new Map([...v2Request.query, ...(next as Query)]);
  return { v2Request: { ...v2Request, query }, bytes: Buffer.alloc(0) };
}

/** Where the upload continues. */
async function nextStep(
  v2: V2,
  route: UploadRoute,
  { status, headers }: RegistryReply,
): Promise<Query> {
  const context = {
    registryUrl: v2.registry.base,
    route,
    seal: (_: UploadRoute, query: Query) => query,
  };
  const location = publicLocation(headers.location ?? '', status, context);
  if (location === null) throw registryUnavailable(new Error('the upload continues nowhere'));
  await noteUpload(v2, route, { status, location });
  return parse('PUT', location).query;
}
