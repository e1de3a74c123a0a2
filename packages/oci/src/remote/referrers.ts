/**
 * Referrers of a manifest (distribution spec § Listing referrers). For registries without the API,
 * clients that push a referrer maintain an index under the tag `sha256-<hex>` (§ Referrers tag
 * schema).
 */
import { createHash } from 'node:crypto';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { parseManifest } from '../model/manifest.ts';
import { essenceOf, OCI_INDEX } from '../model/media-type.ts';
import { listedReferrers, referrersTag } from '../model/referrers-tag.ts';
import { type OciError, tooLarge } from '../oci-error.ts';
import type { HttpResponse } from './http/message.ts';
import {
  type FetchedManifest,
  getManifest,
  type ManifestAccess,
  putManifest,
} from './manifests.ts';
import { nextLink } from './page.ts';
import { isKind, registryError } from './registry-error.ts';

const MAX_PAGES = 100;
/** Limit for all pages together, because any client may have written them. */
const MAX_BYTES = 16 * 1024 * 1024;

export async function listReferrers(access: ManifestAccess, digest: Digest): Promise<Descriptor[]> {
  const { client, repository, scopes, signal } = access;
  const found: Descriptor[] = [];
  let path: string | URL = `${repository}/referrers/${digest}`;
  let bytes = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer: HttpResponse = await client.send({
      method: 'GET',
      path,
      scopes,
      headers: { accept: OCI_INDEX },
      signal,
    });
    if (!isReferrersList(answer)) {
      if (pages === 0 && lacksApi(answer)) return (await readFallback(access, digest)) ?? [];
      throw registryError(answer, `the referrers of ${digest}`);
    }
    bytes += answer.body.byteLength;
    if (bytes > MAX_BYTES) throw tooLong(digest);
    found.push(...manifestsOf(answer.body));
    const next = nextLink(answer.headers.link, answer.url);
    if (!next || next.origin !== answer.url.origin) break;
    path = next;
  }
  return found;
}

function tooLong(digest: Digest): OciError {
  return tooLarge(
    'REGISTRY_ANSWER_TOO_LARGE',
    `the referrers of ${digest} take more than ${MAX_BYTES} bytes to list`,
  );
}

/**
 * Called after a push of a manifest with a subject. A registry with the API answers with
 * `OCI-Subject`.
 */
export async function recordReferrer(
  access: ManifestAccess,
  stored: HttpResponse,
  manifest: FetchedManifest,
): Promise<void> {
  const { subject, ...parsed } = parseManifest(manifest.bytes, manifest.descriptor.mediaType);
  if (!subject || stored.headers['oci-subject'] !== undefined) return;
  const known = await readFallback(access, subject.digest);
  if (known === null) return;
  if (known.some(({ digest }) => digest === manifest.descriptor.digest)) return;
  const config = parsed.kind === 'manifest' ? parsed.config.mediaType : undefined;
  const { mediaType, digest, size } = manifest.descriptor;
  const entry = {
    mediaType,
    digest,
    size,
    artifactType: parsed.artifactType ?? config,
    annotations: parsed.annotations,
  };
  await putManifest(access, referrersTag(subject.digest), indexOf([...known, entry]));
}

/** The specification uses 404; registries that do not know the path return other codes. */
function lacksApi({ status }: HttpResponse): boolean {
  return status === 200 || status === 400 || status === 404 || status === 405 || status === 501;
}

function isReferrersList({ status, headers }: HttpResponse): boolean {
  return status === 200 && essenceOf(headers['content-type'] ?? '') === OCI_INDEX;
}

/** Null where the tag leads to an image, which is never overwritten. */
async function readFallback(access: ManifestAccess, digest: Digest): Promise<Descriptor[] | null> {
  try {
    const { descriptor, bytes } = await getManifest(access, referrersTag(digest));
    return listedReferrers(bytes, descriptor.mediaType);
  } catch (error) {
    if (isKind(error, 'not_found')) return [];
    throw error;
  }
}

function manifestsOf(bytes: Uint8Array): Descriptor[] {
  const index = parseManifest(bytes, OCI_INDEX);
  return index.kind === 'index' ? index.manifests : [];
}

function indexOf(manifests: readonly Descriptor[]): FetchedManifest {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
  const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { descriptor: { mediaType: OCI_INDEX, digest, size: bytes.length }, bytes };
}
