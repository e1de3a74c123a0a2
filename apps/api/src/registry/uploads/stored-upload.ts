/**
 * Receives uploads into the registry's storage, with the replies that the registry would give. The
 * write lock is taken when the blob is complete: a slow client keeps no garbage collection waiting.
 * See docs/decisions/0064-uploads-go-to-the-registrys-storage.md.
 */
import { type AppError, invalid, isAppError, notFound, unavailable } from '@portcullis/errors';
import type { ClaimedUpload, Committed, StoredUploads } from '@portcullis/local-registry';
import { type Digest, isDigest } from '@portcullis/oci';
import { hasBody } from '../headers.ts';
import { formatQuery, type Query } from '../query.ts';
import { sendEmpty } from '../reply.ts';
import { pathOf, type RepositoryRoute, type V2Request } from '../routes.ts';
import type { RegistryReply, RepositoryCall, V2 } from '../v2.ts';
import { pinning } from './blob-pins.ts';
import { goesOn, refuseRange } from './chunk-order.ts';
import type { UploadRoute } from './upload-session.ts';

/** The call, and the request as the proxy would forward it. */
interface Upload {
  call: RepositoryCall;
  v2Request: V2Request;
}

/** @returns false where the registry has to answer */
export async function startStored(v2: V2, upload: Upload): Promise<boolean> {
  const uploads = v2.ports.storedUploads;
  if (!uploads) return false;
  const { call, v2Request } = upload;
  const isMounted = await mountStored(v2, uploads, upload);
  if (isMounted !== false) return isMounted === true;
  const id = await orFault(() => uploads.begin());
  if (id === null) return false;
  const route = { ...call.route, kind: 'upload', uuid: id } as const;
  // A POST that has the blob as well (distribution spec § Single POST).
  if (v2Request.query.has('digest') && hasBody(call.request.headers))
    await withClaim(uploads, route, (claimed) => receiveEnd(v2, claimed, upload));
  else await sendEmpty(v2, call, v2Request, placeReply(202, route, 0));
  return true;
}

/** False where the client has to upload the blob; null where the registry has to answer. */
async function mountStored(
  v2: V2,
  uploads: StoredUploads,
  { call, v2Request }: Upload,
): Promise<boolean | null> {
  const [digest, from] = [v2Request.query.get('mount'), v2Request.query.get('from')];
  if (!digest || !isDigest(digest) || !from) return false;
  const { repository } = call.route;
  let isMounted: boolean | null = false;
  await pinning(v2, call, { v2Request, body: undefined }, async () => {
    isMounted = await orFault(() => uploads.mount(repository, from, digest));
    if (isMounted) await sendEmpty(v2, call, v2Request, createdReply(repository, digest));
  });
  return isMounted;
}

/**
 * A request about an upload of ours, after its seal was checked.
 * @throws not_found `BLOB_UPLOAD_UNKNOWN`; invalid `DIGEST_INVALID`, `SIZE_INVALID`; unavailable
 * `STORAGE_FULL`, `REGISTRY_STORE_FAILED`
 */
export async function serveStored(v2: V2, upload: Upload & { route: UploadRoute }): Promise<void> {
  const { call, route, v2Request } = upload;
  const uploads = v2.ports.storedUploads;
  if (!uploads) throw unknownUpload();
  if (v2Request.method === 'GET') {
    const size = await orFault(() => uploads.received(route.uuid));
    if (size === null) throw unknownUpload();
    return sendEmpty(v2, call, v2Request, placeReply(204, route, size));
  }
  // Sent after the release of the upload: the client's next request may follow at once.
  const reply = await withClaim(uploads, route, (claimed) => receive(v2, claimed, upload));
  return reply();
}

type Reply = () => Promise<void>;

async function withClaim(
  uploads: StoredUploads,
  { uuid }: UploadRoute,
  work: (claimed: ClaimedUpload) => Promise<Reply>,
): Promise<Reply> {
  const claimed = await orFault(() => uploads.claim(uuid));
  if (claimed === null) throw unknownUpload();
  try {
    return await work(claimed);
  } finally {
    await orFault(() => claimed.end());
  }
}

async function receive(
  v2: V2,
  claimed: ClaimedUpload,
  upload: Upload & { route: UploadRoute },
): Promise<Reply> {
  const { call, route, v2Request } = upload;
  if (v2Request.method === 'DELETE') {
    await orFault(() => claimed.cancel());
    return () => sendEmpty(v2, call, v2Request, cancelledReply(route));
  }
  const offset = claimed.received;
  const state = stateOf(offset);
  if (v2Request.query.get('_state') !== state || !goesOn(call.request, offset))
    return async () => refuseRange(v2, { ...call, route }, { state, offset });
  if (v2Request.method === 'PUT') return receiveEnd(v2, claimed, upload);
  if (!(await isReceived(claimed, call))) return NO_REPLY;
  return () => sendEmpty(v2, call, v2Request, placeReply(202, route, claimed.received));
}

const NO_REPLY: Reply = async () => {};

/** Replies while garbage collection waits: it must not run before the blob is pinned. */
async function receiveEnd(
  v2: V2,
  claimed: ClaimedUpload,
  { call, v2Request }: Upload,
): Promise<Reply> {
  const digest = digestIn(v2Request.query);
  if (digest === null) throw invalid('DIGEST_INVALID', 'the parameter digest is missing');
  if (await isReceived(claimed, call)) await commit(v2, claimed, { call, v2Request, digest });
  return NO_REPLY;
}

/** @returns false where the client disconnected; the bytes so far are kept */
async function isReceived(claimed: ClaimedUpload, { request }: RepositoryCall): Promise<boolean> {
  try {
    await orFault(() => claimed.append(request));
    return true;
  } catch (error) {
    if (request.destroyed && !request.complete && !isAppError(error)) return false;
    throw error;
  }
}

function commit(
  v2: V2,
  claimed: ClaimedUpload,
  { call, v2Request, digest }: Upload & { digest: Digest },
): Promise<void> {
  const { repository } = call.route;
  return pinning(v2, call, { v2Request, body: undefined }, async () => {
    const stored = await orFault(() =>
      claimed.commit({ repository, digest }, (blob) => v2.registryClient.hasBlob(repository, blob)),
    );
    await sendEmpty(v2, call, v2Request, createdReply(repository, digestStored(stored)));
  });
}

function digestStored(committed: Committed): Digest {
  if (committed === 'mismatch')
    throw invalid('DIGEST_INVALID', 'the bytes received have another digest');
  if (committed === 'refused') throw storeFailed(new Error('the blob could not be linked'));
  return committed.digest;
}

function digestIn(query: Query): Digest | null {
  const digest = query.get('digest');
  return digest !== undefined && isDigest(digest) ? digest : null;
}

/** The offset at which the address of an upload continues. */
const stateOf = (offset: number) => String(offset);

function placeReply(status: 202 | 204, route: UploadRoute, size: number): RegistryReply {
  const query = formatQuery(new Map([['_state', stateOf(size)]]));
  const headers = {
    location: pathOf(route) + query,
    range: `0-${Math.max(0, size - 1)}`,
    'docker-upload-uuid': route.uuid,
    ...(status === 202 && { 'content-length': '0' }),
  };
  return { status, headers };
}

function cancelledReply({ uuid }: UploadRoute): RegistryReply {
  return { status: 204, headers: { 'docker-upload-uuid': uuid } };
}

function createdReply(repository: string, digest: Digest): RegistryReply {
  const route: RepositoryRoute = { kind: 'blob', repository, digest };
  const headers = {
    location: pathOf(route),
    'docker-content-digest': digest,
    'content-length': '0',
  };
  return { status: 201, headers };
}

function unknownUpload(): AppError {
  return notFound(
    'BLOB_UPLOAD_UNKNOWN',
    'there is no such upload, or another request is writing it; start again',
  );
}

/** @throws unavailable `STORAGE_FULL`, `REGISTRY_STORE_FAILED` for a system error of the storage */
async function orFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? storeFailed(error) : error;
  }
}

function storeFailed(cause: Error & { code?: string }): AppError {
  if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')
    return unavailable(
      'STORAGE_FULL',
      'the storage of the registry is full; nothing can be pushed until space is freed',
      { cause },
    );
  return unavailable(
    'REGISTRY_STORE_FAILED',
    'the storage of the registry did not take the blob; push it again',
    { cause },
  );
}
