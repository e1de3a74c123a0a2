/** What the immutable tags of a repository lead to, read from the registry. */
import { isAppError } from '@portcullis/errors';
import {
  type Digest,
  isManifestType,
  isReferrersTag,
  listedReferrers,
  parseManifest,
  successors,
} from '@portcullis/oci';
import type { FetchedManifest, Repository } from '@portcullis/oci/remote';

export type ReadRepository = Pick<Repository, 'resolve' | 'allTags' | 'manifest'>;

const AT_ONCE = 8;

/** @returns each manifest and blob that a tag leads to, with the first such tag */
export async function reachableFrom(
  repository: ReadRepository,
  isKept: (tag: string) => boolean,
): Promise<Map<string, string>> {
  const tags = ((await unlessMissing(repository.allTags())) ?? []).filter(isKept);
  const walk: Walk = { repository, reached: new Map(), visited: new Set() };
  const next = async () => {
    for (let tag = tags.shift(); tag !== undefined; tag = tags.shift())
      if (!(await leadsToReferrers(repository, tag))) await visit(walk, tag, tag);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return walk.reached;
}

/**
 * Clients rewrite the list of an image's referrers whenever one is added. An image under the name
 * of such a list is an image.
 */
export async function leadsToReferrers(repository: ReadRepository, tag: string): Promise<boolean> {
  if (!isReferrersTag(tag)) return false;
  const found = await unlessMissing(repository.manifest(tag));
  return found !== null && isList(found);
}

function isList({ bytes, descriptor }: FetchedManifest): boolean {
  try {
    return listedReferrers(bytes, descriptor.mediaType) !== null;
  } catch {
    return false;
  }
}

interface Walk {
  repository: ReadRepository;
  reached: Map<string, string>;
  /** Manifests; another one may have listed such a digest as a blob. */
  visited: Set<string>;
}

async function visit(walk: Walk, tag: string, reference: string): Promise<void> {
  const { repository, reached, visited } = walk;
  if (visited.has(reference)) return;
  const found = await unlessMissing(repository.manifest(reference));
  if (!found || visited.has(found.descriptor.digest)) return;
  visited.add(found.descriptor.digest);
  for (const { digest } of [found.descriptor, ...partsOf(found)])
    if (!reached.has(digest)) reached.set(digest, tag);
  for (const { digest, mediaType } of partsOf(found))
    if (isManifestType(mediaType)) await visit(walk, tag, digest);
}

/** A manifest that we cannot read has no parts that we know. */
function partsOf({ bytes, descriptor }: FetchedManifest): { digest: Digest; mediaType: string }[] {
  try {
    return successors(parseManifest(bytes, descriptor.mediaType));
  } catch {
    return [];
  }
}

export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return null;
    throw error;
  }
}
