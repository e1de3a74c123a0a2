/** Serves writes to a repository: uploads of blobs, and manifests. */
import type { EnteringImage } from '@portcullis/gate';
import { type Digest, isDigest } from '@portcullis/oci';
import { mountable } from './access/authorize.ts';
import { forward, noticingAnswer } from './forward.ts';
import { assertBlobsPresent } from './manifests/absent-layers.ts';
import { type ManifestBody, readManifestBody } from './manifests/manifest-body.ts';
import {
  LEFT_BEHIND,
  type PushedManifest,
  withoutOwnStatements,
} from './manifests/own-statements.ts';
import { assertStatedSizes } from './manifests/stated-sizes.ts';
import type { LocalRegistryClient } from './proxy/registry-client.ts';
import { type Query, without } from './query.ts';
import { pathOf, type RepositoryRoute, type RouteOf, type V2Request } from './routes.ts';
import { sha256Of } from './uploads/blob-pins.ts';
import { withinReserve } from './uploads/disk-reserve.ts';
import { endsWithBytes, receiveBytes, type UploadEnd } from './uploads/forwarded-end.ts';
import { serveStored, startStored } from './uploads/stored-upload.ts';
import { serveUpload } from './uploads/uploads.ts';
import type { RepositoryCall, V2 } from './v2.ts';
import { warningOf } from './warning.ts';

/** A mount that the account may not do becomes a plain upload. */
export function startUpload(
  v2: V2,
  call: RepositoryCall,
  { repository }: RouteOf<'upload-start'>,
): Promise<void> {
  const query = mountable(call.access, call.scopes, call.v2Request.query);
  const v2Request = { ...call.v2Request, query };
  return receiving(v2, call, async () => {
    await v2.ports.folderQuotas.assertRoom(repository, digestNamed(v2Request));
    if (await startStored(v2, { call, v2Request })) return;
    // The registry stores no blob from a POST, but waits for its body before it replies.
    await forward(
      v2,
      { ...call, bytes: Buffer.alloc(0) },
      { ...v2Request, query: without(query, 'digest') },
    );
  });
}

/** One step of an upload, which the registry or its storage receives. */
export function continueUpload(
  v2: V2,
  call: RepositoryCall,
  route: RouteOf<'upload'>,
): Promise<void> {
  const step = (query: Query) => ({ call, route, v2Request: { ...call.v2Request, query } });
  const receivers = {
    forward: (query: Query) => forwardUpload(v2, step(query)),
    store: (query: Query) => serveStored(v2, step(query)),
  };
  return receiving(v2, call, () => serveUpload(v2, { ...call, route }, receivers));
}

async function forwardUpload(v2: V2, upload: UploadEnd): Promise<void> {
  const { call, v2Request } = upload;
  if (!endsWithBytes(upload)) return forward(v2, call, v2Request);
  const rest = await receiveBytes(v2, upload);
  if (rest) await forward(v2, { ...call, bytes: rest.bytes }, rest.v2Request);
}

export async function writeManifest(
  v2: V2,
  call: RepositoryCall,
  { repository, reference }: RouteOf<'manifest'>,
): Promise<void> {
  const { folderQuotas } = v2.ports;
  const body = await readManifestBody(call.request, async (bytes) =>
    v2.ports.spendOnManifest?.(call.principal.id, bytes),
  );
  await assertBlobsPresent(v2.registryClient, repository, body.manifest);
  const every = await folderQuotas.isLimited(repository);
  await assertStatedSizes({ sizeOf: sizes(v2), every }, repository, body.manifest);
  const pushed = { repository, reference, body };
  const stored = await withoutOwnStatements(v2.ports.ownStatements, pushed);
  // Clients show the warning in the answer or not; who runs this sees why nothing is stored.
  if (stored !== body)
    v2.ports.log.warn(
      { repository, reference },
      'a statement of ours that was pushed is left behind',
    );
  if (stored === null) return answerLeftBehind(call, pushed);
  await folderQuotas.entering(repository, imageIn(stored), () =>
    putManifest(v2, call, { repository, reference, body: stored }),
  );
}

function imageIn({ bytes, manifest: { mediaType } }: ManifestBody): EnteringImage {
  return { root: { mediaType, digest: sha256Of({ bytes }), size: bytes.length }, bytes };
}

/** As if it were stored, so that a copy of an image goes on. */
function answerLeftBehind(
  { response, route }: RepositoryCall,
  { repository, body }: PushedManifest,
): void {
  const digest = sha256Of(body);
  const { subject } = body.manifest;
  response
    .writeHead(201, {
      'content-length': '0',
      location: pathOf({ ...route, kind: 'manifest', repository, reference: digest }),
      'docker-content-digest': digest,
      ...(subject && { 'oci-subject': subject.digest }),
      warning: warningOf(LEFT_BEHIND),
    })
    .end();
}

async function putManifest(
  v2: V2,
  call: RepositoryCall,
  { repository, reference, body }: PushedManifest,
): Promise<void> {
  const { v2Request } = call;
  // Newer registries tag a manifest that is pushed by its digest.
  const named = { ...v2Request, query: without(v2Request.query, 'tag') };
  if (isDigest(reference)) return forward(v2, call, named, body);
  await call.intend();
  const change = { tag: reference, digest: sha256Of(body) };
  return v2.ports.immutableTags.writing(repository, change, (unanswered) =>
    noticingAnswer(call, unanswered, (heard) => forward(v2, heard, named, body)),
  );
}

/** A part that the storage lacks, the registry may have: its answer counts. */
function sizes({ storedReads, registryClient }: V2): LocalRegistryClient['sizeOf'] {
  return async (repository, kind, digest) =>
    (kind === 'blob' ? await storedReads?.blobSize(repository, digest) : null) ??
    registryClient.sizeOf(repository, kind, digest);
}

/** Querying or cancelling an upload needs no disk space. */
function receiving(
  v2: V2,
  { v2Request, request, route }: RepositoryCall,
  receive: () => Promise<void>,
): Promise<void> {
  const writes =
    v2Request.method === 'POST' || v2Request.method === 'PATCH' || v2Request.method === 'PUT';
  return withinReserve(writes ? v2.ports.disk : null, request, async () => {
    await receive();
    const digest = digestNamed(v2Request);
    if (writes && digest !== null && isDigest(digest)) await noteArrival(v2, route, digest);
  });
}

/** What the client says that it stores or mounts. */
function digestNamed({ query }: V2Request): string | null {
  return query.get('mount') ?? query.get('digest') ?? null;
}

/** The client has its answer already. */
async function noteArrival(v2: V2, { repository }: RepositoryRoute, digest: Digest): Promise<void> {
  const sizeOf = () => sizes(v2)(repository, 'blob', digest);
  try {
    await v2.ports.folderQuotas.arrived(repository, digest, sizeOf);
  } catch (err) {
    v2.ports.log.warn({ err, repository, digest }, 'the size of a stored blob was not compared');
  }
}
