/** What the immutable tags of a repository lead to, read from the registry. */
import { unlessMissing } from '@portcullis/errors';
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

export interface Reachable {
  /**
   * Reads what is not known from an earlier call: a tag that is kept does not move, and a digest
   * has one content.
   * @returns each manifest and blob that a tag leads to, with the first such tag
   */
  read(): Promise<ReadonlyMap<string, string>>;
}

export function reachableIn(
  repository: ReadRepository,
  isKept: (tag: string) => boolean,
): Reachable {
  const walk: Walk = {
    repository,
    reached: new Map(),
    visited: new Set(),
    missing: new Map(),
    known: new Set(),
  };
  return {
    async read() {
      const absent = [...walk.missing];
      walk.missing.clear();
      for (const [reference, tag] of absent) await visit(walk, tag, reference);
      const tags = ((await unlessMissing(repository.allTags())) ?? [])
        .filter(isKept)
        .filter((tag) => !walk.known.has(tag));
      const next = async () => {
        for (let tag = tags.shift(); tag !== undefined; tag = tags.shift())
          await visitTag(walk, tag);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
      return walk.reached;
    },
  };
}

/** A list of referrers is no image yet, but an image may be pushed in its place. */
async function visitTag(walk: Walk, tag: string): Promise<void> {
  if (await leadsToReferrers(walk.repository, tag)) return;
  if (await visit(walk, tag, tag)) walk.known.add(tag);
}

/**
 * Clients rewrite the list of an image's referrers whenever one is added. An image under the name
 * of such a list is an image.
 */
export async function leadsToReferrers(repository: ReadRepository, tag: string): Promise<boolean> {
  if (!isReferrersTag(tag)) return false;
  const found = await unlessMissing(repository.manifest(tag));
  return found !== null && (await isList(found));
}

async function isList({ bytes, descriptor }: FetchedManifest): Promise<boolean> {
  try {
    return (await listedReferrers(bytes, descriptor.mediaType)) !== null;
  } catch {
    return false;
  }
}

interface Walk {
  repository: ReadRepository;
  reached: Map<string, string>;
  /** Manifests; another one may have listed such a digest as a blob. */
  visited: Set<string>;
  /** Digests that the repository lacked, and the tags that lead to them. */
  missing: Map<string, string>;
  /** The tags that were followed. */
  known: Set<string>;
}

/** @returns whether the repository has it */
async function visit(walk: Walk, tag: string, reference: string): Promise<boolean> {
  const { repository, reached, visited, missing } = walk;
  if (visited.has(reference)) return true;
  const found = await unlessMissing(repository.manifest(reference));
  if (!found) {
    if (reference !== tag) missing.set(reference, tag);
    return false;
  }
  if (visited.has(found.descriptor.digest)) return true;
  visited.add(found.descriptor.digest);
  const parts = await partsOf(found);
  for (const { digest } of [found.descriptor, ...parts])
    if (!reached.has(digest)) reached.set(digest, tag);
  for (const { digest, mediaType } of parts)
    if (isManifestType(mediaType)) await visit(walk, tag, digest);
  return true;
}

/** A manifest that we cannot read has no parts that we know. */
async function partsOf({
  bytes,
  descriptor,
}: FetchedManifest): Promise<{ digest: Digest; mediaType: string }[]> {
  try {
    return successors(await parseManifest(bytes, descriptor.mediaType));
  } catch {
    return [];
  }
}
