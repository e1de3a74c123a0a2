/** Serves reads of a repository: its tags, referrers, blobs and manifests. */
import type { IncomingHttpHeaders } from 'node:http';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { OCI_INDEX } from '@portcullis/oci';
import { ociError } from './errors.ts';
import { forward } from './forward.ts';
import { assertAcceptable } from './manifests/negotiation.ts';
import { listReferrers } from './manifests/referrers.ts';
import { listTags } from './manifests/tags.ts';
import { sendEmpty } from './reply.ts';
import type { RouteOf } from './routes.ts';
import type { RepositoryCall, V2, V2Call } from './v2.ts';

export async function readTags(
  v2: V2,
  { response, v2Request: { query }, principal }: V2Call,
  { repository }: RouteOf<'tags'>,
) {
  const ports = { images: v2.ports.images, registry: v2.registryClient };
  const { page, link } = await listTags(ports, { repository, account: principal.id, query });
  if (link !== undefined) response.setHeader('Link', link);
  response.json(page);
}

export async function readReferrers(
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

/** That a blob is absent is no reason to hold off garbage collection. */
export async function readBlob(v2: V2, call: RepositoryCall): Promise<void> {
  const headers = await v2.storedReads?.absentBlob(call.v2Request);
  if (headers) return sendEmpty(v2, call, call.v2Request, { status: 404, headers });
  return forward(v2, call, call.v2Request);
}

export async function pullManifest(
  v2: V2,
  call: RepositoryCall,
  { repository }: RouteOf<'manifest'>,
): Promise<void> {
  const { request, response, v2Request, access } = call;
  const { accept } = request.headers;
  const read = {
    ...call,
    negotiate: (headers: IncomingHttpHeaders) => assertAcceptable(accept, headers),
  };
  if (!(await v2.ports.pullGate.isOn(access, repository))) return forward(v2, read, v2Request);
  // The registry's 304 does not state the digest that it is about.
  for (const name of CONDITIONS) delete request.headers[name];
  const detailsUrl = `${v2.ports.publicUrl(request)}/images/${LOCAL_REGISTRY_ID}/${repository}`;
  const decide = (digest: string | undefined) =>
    v2.ports.pullGate.decide({ access, repository, detailsUrl }, digest, response);
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
