/**
 * The referrers tag schema (distribution spec § Referrers tag schema): for registries without the
 * referrers API, clients keep the list of an image's referrers under a tag made of its digest.
 */
import type { Descriptor } from './descriptor.ts';
import { algorithmOf, type Digest, encodedOf } from './digest.ts';
import { parseManifest } from './manifest.ts';
import { OCI_INDEX } from './media-type.ts';

const REFERRERS_TAG = /^(?:sha256|sha512)-[0-9a-f]{64}$/;

export function referrersTag(digest: Digest): string {
  return `${algorithmOf(digest)}-${encodedOf(digest).slice(0, 64)}`;
}

export function isReferrersTag(tag: string): boolean {
  return REFERRERS_TAG.test(tag);
}

/**
 * The listed referrers; null for what a client pushed under such a tag as an image: a manifest, or
 * an index with platforms.
 */
export async function listedReferrers(
  bytes: Uint8Array,
  mediaType: string,
): Promise<Descriptor[] | null> {
  if (mediaType !== OCI_INDEX) return null;
  const document = await parseManifest(bytes, mediaType);
  if (document.kind !== 'index') return null;
  const isImage = document.manifests.some(({ platform }) => platform !== undefined);
  return isImage ? null : document.manifests;
}
