/** Serves reads of a repository: its tags, referrers, blobs and manifests. */
import type { IncomingHttpHeaders } from 'node:http';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { OCI_INDEX } from '@portcullis/oci';
import type { MirrorReference } from '@portcullis/store';
import { ociError } from './errors.ts';
import { forward } from './forward.ts';
import { assertAcceptable } from './manifests/negotiation.ts';
import { listReferrers } from './manifests/referrers.ts';
import { listTags } from './manifests/tags.ts';
import { sendEmpty } from './reply.ts';
import type { RouteOf } from './routes.ts';
import type { RepositoryCall, V2, V2Call } from './v2.ts';
import { warningOf } from './warning.ts';

export async function readTags(
  v2: V2,
  { response, v2Request: { query }, principal }: V2Call,
  { repository }: RouteOf<'tags'>,
) {
  const ports = { images: v2.ports.images, registry: v2.registryClient };
  const mirror = await v2.ports.mirrors.of(repository);
  const upstream = mirror && (await v2.ports.mirrors.tags(mirror, repository, principal));
  const account = principal.id;
  const { page, link } = await listTags(ports, { repository, account, query, upstream });
  if (link !== undefined) response.setHeader('Link', link);
  response.json(page);
}

export async function readReferrers(
  v2: V2,
  { response, v2Request, access }: RepositoryCall,
  route: RouteOf<'referrers'>,
) {
  const mirror = await v2.ports.mirrors.of(route.repository);
  if (mirror) await v2.ports.mirrors.referrers(mirror, { ...route, access, response });
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
  { repository, reference }: RouteOf<'manifest'>,
): Promise<void> {
  const { request, response, v2Request, access } = call;
  await readMirror(v2, call, { repository, reference });
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
  await recordingRefusal(call, () => forward(v2, { ...read, decide }, v2Request));
}

/** Brings in what a mirror lacks, and warns where it serves another image than its upstream has. */
async function readMirror(v2: V2, call: RepositoryCall, place: MirrorReference): Promise<void> {
  const { request, response, access } = call;
  const mirror = await v2.ports.mirrors.of(place.repository);
  if (!mirror) return;
  const detailsUrl = `${v2.ports.publicUrl(request)}/folders/${mirror.folder}/mirror`;
  await recordingRefusal(call, async () => {
    const warning = await v2.ports.mirrors.read(mirror, { access, place, response, detailsUrl });
    if (warning !== null) response.setHeader('Warning', warningOf(warning));
  });
}

async function recordingRefusal(call: RepositoryCall, work: () => Promise<void>): Promise<void> {
  try {
    await work();
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
