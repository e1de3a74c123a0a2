/** Serves one request to a repository: authorize, check the upload's owner, forward, audit. */
import type { IncomingHttpHeaders } from 'node:http';
import { assertAllowed, type Decision, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { EnteringImage } from '@portcullis/gate';
import { createTagRemoval } from '@portcullis/local-registry';
import { type Digest, isDigest, OCI_INDEX } from '@portcullis/oci';
import { wantBody } from '../http/expect-continue.ts';
import {
  isCovered,
  mayAsk,
  mountable,
  SCOPE_INSUFFICIENT,
  scopeInsufficient,
} from './access/authorize.ts';
import { ociError } from './errors.ts';
import { assertFraming } from './headers.ts';
import { assertBlobsPresent } from './manifests/absent-layers.ts';
import { unlessBlob } from './manifests/blob-as-manifest.ts';
import { createImageAudit } from './manifests/image-audit.ts';
import { type ManifestBody, readManifestBody } from './manifests/manifest-body.ts';
import { assertAcceptable } from './manifests/negotiation.ts';
import { listReferrers } from './manifests/referrers.ts';
import { assertStatedSizes } from './manifests/stated-sizes.ts';
import { listTags } from './manifests/tags.ts';
import type { RepositoryRoute, V2Request } from './parse.ts';
import type { ProxyAnswer } from './proxy/proxy.ts';
import type { LocalRegistryClient } from './proxy/registry-client.ts';
import { without } from './query.ts';
import { isIndex, readerOf, sendEmpty, settleReply, stagesFor } from './reply.ts';
import type { StoredReply } from './stored/stored-reply.ts';
import { guarded, sha256Of } from './uploads/blob-pins.ts';
import { withinReserve } from './uploads/disk-reserve.ts';
import { endsWithBytes, receiveBytes, type UploadEnd } from './uploads/forwarded-end.ts';
import { serveStored, startStored } from './uploads/stored-upload.ts';
import { serveUpload } from './uploads/uploads.ts';
import type { RepositoryCall, V2, V2Call } from './v2.ts';

type RouteOf<Kind extends RepositoryRoute['kind']> = Extract<RepositoryRoute, { kind: Kind }>;

export async function serveRepository(v2: V2, call: V2Call, route: RepositoryRoute): Promise<void> {
  const { request, response, v2Request, principal, scopes } = call;
  const asker = { principal, folders: await v2.ports.folders() };
  const audience = {
    publish: v2.ports.publishAudit,
    changes: v2.ports.auditChanges,
    request,
    response,
  };
  const { record, intend, failed } = createImageAudit(audience, { route, ...asker });

  await assertPermitted(mayAsk(asker, v2Request, route), (code) => record(403, { code }));
  // After the rights: no token helps where the account lacks the right.
  if (!isCovered(scopes, v2Request.method, route)) {
    await record(401, { code: SCOPE_INSUFFICIENT });
    throw scopeInsufficient(v2Request);
  }
  assertFraming(v2Request.method, request.headers);
  wantBody(request, response);
  try {
    await serve(v2, { ...call, route, asker, record, intend });
  } catch (error) {
    await failed(error);
    throw error;
  }
}

async function assertPermitted(
  decision: Decision,
  tellOf: (code: string) => Promise<void>,
): Promise<void> {
  if (!decision.allowed) await tellOf(decision.code);
  assertAllowed(decision);
}

function serve(v2: V2, call: RepositoryCall): Promise<void> {
  const { v2Request, asker, route, scopes } = call;
  switch (route.kind) {
    case 'tags':
      return serveTags(v2, call, route);
    case 'referrers':
      return serveReferrers(v2, call, route);
    case 'manifest':
      return serveManifest(v2, call, route);
    case 'blob':
      return serveBlob(v2, call, route);
    case 'upload-start':
      return receiving(v2, call, () =>
        startUpload(v2, call, {
          ...v2Request,
          query: mountable(asker, scopes, v2Request.query),
        }),
      );
    case 'upload':
      return receiving(v2, call, () =>
        serveUpload(
          v2,
          { ...call, route },
          {
            forward: (query) =>
              forwardUpload(v2, { call, route, v2Request: { ...v2Request, query } }),
            store: (query) => serveStored(v2, { call, route, v2Request: { ...v2Request, query } }),
          },
        ),
      );
  }
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

async function startUpload(v2: V2, call: RepositoryCall, v2Request: V2Request): Promise<void> {
  await v2.ports.folderQuotas.assertRoom(call.route.repository, digestNamed(v2Request));
  if (await startStored(v2, { call, v2Request })) return;
  // The registry stores no blob from a POST, but waits for its body before it replies.
  const query = without(v2Request.query, 'digest');
  await forward(v2, { ...call, bytes: Buffer.alloc(0) }, { ...v2Request, query });
}

async function forwardUpload(v2: V2, upload: UploadEnd): Promise<void> {
  const { call, v2Request } = upload;
  if (!endsWithBytes(upload)) return forward(v2, call, v2Request);
  const rest = await receiveBytes(v2, upload);
  if (rest) await forward(v2, { ...call, bytes: rest.bytes }, rest.v2Request);
}

/** That a blob is absent is no reason to hold off garbage collection. */
async function serveBlob(v2: V2, call: RepositoryCall, route: RouteOf<'blob'>): Promise<void> {
  if (call.v2Request.method === 'DELETE') return removeByDigest(v2, call, route);
  const headers = await v2.storedReads?.absentBlob(call.v2Request);
  if (headers) return sendEmpty(v2, call, call.v2Request, { status: 404, headers });
  return forward(v2, call, call.v2Request);
}

async function serveTags(
  v2: V2,
  { response, v2Request: { query }, principal }: V2Call,
  { repository }: RouteOf<'tags'>,
) {
  const ports = { images: v2.ports.images, registry: v2.registryClient };
  const { page, link } = await listTags(ports, { repository, account: principal.id, query });
  if (link !== undefined) response.setHeader('Link', link);
  response.json(page);
}

async function serveReferrers(
  v2: V2,
  { response, v2Request }: V2Call,
  route: RouteOf<'referrers'>,
) {
  const ports = { registryClient: v2.registryClient, referrers: v2.ports.referrers };
  const { index, link, filtered } = await listReferrers(ports, {
    ...route,
    query: v2Request.query,
  });
  if (link !== undefined) response.setHeader('Link', link);
  if (filtered) response.setHeader('OCI-Filters-Applied', 'artifactType');
  response.setHeader('Content-Type', OCI_INDEX);
  response.end(JSON.stringify(index)); // `json` would add a character set.
}

async function serveManifest(
  v2: V2,
  call: RepositoryCall,
  { repository, reference }: RouteOf<'manifest'>,
) {
  const { v2Request, principal, request } = call;
  if (v2Request.method === 'DELETE' && !isDigest(reference))
    return removeTag(v2, call, { repository, tag: reference });
  if (v2Request.method === 'GET' || v2Request.method === 'HEAD')
    return pullManifest(v2, call, repository);
  if (v2Request.method === 'DELETE' && isDigest(reference))
    return removeByDigest(v2, call, { repository, digest: reference });
  if (v2Request.method !== 'PUT') return forward(v2, call, v2Request);
  const body = await readManifestBody(request, async (bytes) =>
    v2.ports.spendOnManifest?.(principal.id, bytes),
  );
  await assertBlobsPresent(v2.registryClient, repository, body.manifest);
  const { folderQuotas } = v2.ports;
  const every = await folderQuotas.isLimited(repository);
  await assertStatedSizes({ sizeOf: sizes(v2), every }, repository, body.manifest);
  await folderQuotas.entering(repository, imageIn(body), () =>
    putManifest(v2, call, { repository, reference, body }),
  );
}

function imageIn({ bytes, manifest: { mediaType } }: ManifestBody): EnteringImage {
  return { root: { mediaType, digest: sha256Of({ bytes }), size: bytes.length }, bytes };
}

interface PutManifest {
  repository: string;
  reference: string;
  body: ManifestBody;
}

async function putManifest(
  v2: V2,
  call: RepositoryCall,
  { repository, reference, body }: PutManifest,
): Promise<void> {
  const { v2Request } = call;
  // Newer registries tag a manifest that is pushed by its digest.
  const named = { ...v2Request, query: without(v2Request.query, 'tag') };
  if (isDigest(reference)) return forward(v2, call, named, body);
  await call.intend();
  const change = { tag: reference, digest: sha256Of(body) };
  return v2.ports.immutableTags.writing(repository, change, (unanswered) =>
    answered(call, unanswered, (heard) => forward(v2, heard, named, body)),
  );
}

/** A part that the storage lacks, the registry may have: its answer counts. */
function sizes({ storedReads, registryClient }: V2): LocalRegistryClient['sizeOf'] {
  return async (repository, kind, digest) =>
    (kind === 'blob' ? await storedReads?.blobSize(repository, digest) : null) ??
    registryClient.sizeOf(repository, kind, digest);
}

async function pullManifest(v2: V2, call: RepositoryCall, repository: string): Promise<void> {
  const { request, response, v2Request, asker } = call;
  const { accept } = request.headers;
  const read = {
    ...call,
    negotiate: (headers: IncomingHttpHeaders) => assertAcceptable(accept, headers),
  };
  if (!(await v2.ports.pullGate.isOn(asker, repository))) return forward(v2, read, v2Request);
  // The registry's 304 does not state the digest that it is about.
  for (const name of CONDITIONS) delete request.headers[name];
  const detailsUrl = `${v2.ports.publicUrl(request)}/images/${LOCAL_REGISTRY_ID}/${repository}`;
  const decide = (digest: string | undefined) =>
    v2.ports.pullGate.decide({ asker, repository, detailsUrl }, digest, response);
  try {
    await forward(v2, { ...read, decide }, v2Request);
  } catch (error) {
    if (isAppError(error) && error.detail?.decision !== undefined)
      await call.record(ociError(error).status, {
        code: error.code,
        decision: error.detail.decision,
      });
    throw error;
  }
}

const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-match', 'if-range', 'range'] as const;

/** Distribution spec § Deleting tags: the manifest and its other tags remain. */
async function removeTag(
  v2: V2,
  call: RepositoryCall,
  { repository, tag }: { repository: string; tag: string },
) {
  await call.intend();
  const { gate, immutableTags, manifests: keeper = null } = v2.ports;
  const remove = createTagRemoval({ immutableTags, gate, keeper });
  await remove(repository, tag, () => v2.ports.removeTag(repository, tag));
  await call.record(202);
  call.response.status(202).end();
}

/** Deletes a manifest with its tags, or a blob. */
async function removeByDigest(
  v2: V2,
  call: RepositoryCall,
  { repository, digest }: { repository: string; digest: string },
): Promise<void> {
  await call.intend();
  await v2.ports.immutableTags.removing(repository, (kept, unanswered) => {
    kept.assertFree(digest);
    return answered(call, unanswered, (heard) => forward(v2, heard, call.v2Request));
  });
}

/** The client may disconnect before the registry answers: what it asked for may still be done. */
async function answered(
  call: RepositoryCall,
  unanswered: () => void,
  work: (heard: RepositoryCall) => Promise<void>,
): Promise<void> {
  let isAnswered = false;
  await work({
    ...call,
    answered() {
      isAnswered = true;
    },
  });
  if (!isAnswered) unanswered();
}

async function forward(
  v2: V2,
  call: RepositoryCall,
  v2Request: V2Request,
  body?: ManifestBody,
): Promise<void> {
  if (changesImage(call)) await call.intend();
  await guarded(v2, call, { v2Request, body }, async () => {
    const stored = await v2.storedReads?.find(v2Request, call.request.headers);
    if (stored) return sendStored(v2, call, v2Request, stored);
    const forwarding = v2.proxy.forward(call.request, call.response, {
      v2Request,
      body: body?.bytes ?? call.bytes,
      async answer(status, { headers }): Promise<ProxyAnswer> {
        const reply = { status, headers };
        call.answered?.();
        v2.storedReads?.learnAbsent(v2Request, reply);
        return {
          headers: await settleReply(v2, call, v2Request, reply, body),
          stages: stagesFor(v2, call, reply),
        };
      },
    });
    await forwarding.catch(async (error: unknown) => {
      throw await unlessBlob(v2, call, error);
    });
  });
}

/** @throws as the pull gate refuses the manifest */
async function sendStored(
  v2: V2,
  call: RepositoryCall,
  v2Request: V2Request,
  stored: StoredReply,
): Promise<void> {
  try {
    const headers = await settleReply(v2, call, v2Request, stored);
    if (stored.bytes && isIndex(call, stored))
      await v2.ports.pulls.readIndex(readerOf(call), stored.bytes);
    if (call.response.destroyed) return await stored.discard();
    call.response.writeHead(stored.status, headers);
  } catch (error) {
    await stored.discard();
    throw error;
  }
  await stored.send(call.response);
}

function changesImage({ v2Request: { method }, route: { kind } }: RepositoryCall): boolean {
  return (kind === 'manifest' && method === 'PUT') || (kind !== 'upload' && method === 'DELETE');
}
