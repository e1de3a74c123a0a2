/**
 * Finds signatures, SBOMs and attestations of an image: OCI 1.1 referrers and cosign tags. Any
 * manifest can name any other as its subject, so referrers that a container engine could run as an
 * image are not copied.
 */

import type { Descriptor } from '../model/descriptor.ts';
import { type Digest, encodedOf } from '../model/digest.ts';
import { isSociIndex } from '../model/media-type.ts';
import { isRunnable } from '../model/runnable.ts';
import { isOciError, type OciError, tooLarge } from '../oci-error.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Source } from './content.ts';
import { withErrorSide } from './error-side.ts';
import {
  addNode,
  createGraph,
  explore,
  type Graph,
  type GraphOptions,
  MAX_DEPTH,
} from './graph.ts';

interface Tagged {
  descriptor: Descriptor;
  tag: string;
}

export interface CopiedReferrers {
  /** The tags that cosign looks for. */
  tags: Tagged[];
  /**
   * Referrers that a container engine could run. Copying them would add images that were not
   * requested.
   */
  leftBehind: Descriptor[];
}

/** Limit per image, including referrers of referrers. Each costs a request. */
const MAX_REFERRERS = 10_000;

const COSIGN_SUFFIXES = ['sig', 'att', 'sbom'];

/**
 * Adds the referrers of all manifests in the graph, and their referrers in turn, except runnable
 * images.
 */
export async function exploreReferrers(
  graph: Graph,
  source: Source,
  options: ReferrerOptions,
): Promise<CopiedReferrers> {
  const tags: Tagged[] = [];
  const leftBehind = new Map<Digest, Descriptor>();
  const queried = new Set<Digest>();
  for (let depth = 0; depth < (options.maxDepth ?? MAX_DEPTH); depth += 1) {
    const subjects = [...graph.nodes.keys()].filter((digest) => !queried.has(digest));
    if (subjects.length === 0) break;
    const found = new Map<Digest, Descriptor>();
    await forEachAtMost(options.concurrency, subjects, async (digest) => {
      queried.add(digest);
      const signed = depth === 0 ? await cosignTags(source, digest, options) : [];
      tags.push(...signed);
      const listings = await listed(source, digest, options);
      for (const each of [...listings, ...signed.map(({ descriptor }) => descriptor)])
        found.set(each.digest, bare(each));
      if (found.size + leftBehind.size > MAX_REFERRERS) throw tooMany();
    });
    const fresh = [...found.values()].filter(
      ({ digest }) => !graph.nodes.has(digest) && !leftBehind.has(digest),
    );
    await forEachAtMost(options.concurrency, fresh, async (descriptor) => {
      if (!(await addReferrer(graph, source, descriptor, options)))
        leftBehind.set(descriptor.digest, descriptor);
    });
  }
  return {
    tags: tags.filter(({ descriptor }) => !leftBehind.has(descriptor.digest)),
    leftBehind: [...leftBehind.values()],
  };
}

/** Drops the annotations of a listing: they are not used and may be megabytes. */
function bare({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}

function tooMany(): OciError {
  return tooLarge('REFERRERS_TOO_MANY', `more than ${MAX_REFERRERS} manifests refer to the image`, {
    side: 'source',
  });
}

export interface ReferrerOptions extends GraphOptions {
  /** Accepts all referrers without reading their blobs, for a dry run. */
  skipContentCheck?: boolean | undefined;
}

/**
 * False if one of its manifests is runnable or changes how engines unpack an image (SOCI).
 * Manifests that the graph already contains belong to the root and are not checked again.
 */
async function addReferrer(
  graph: Graph,
  source: Source,
  referrer: Descriptor,
  options: ReferrerOptions,
): Promise<boolean> {
  const added = createGraph();
  await explore(added, source, [referrer], options);
  if (!options.skipContentCheck) {
    for (const [digest, { document }] of added.nodes) {
      if (document.kind === 'index' || graph.nodes.has(digest)) continue;
      if (isSociIndex(document)) return false;
      if (await judged(digest, () => isRunnable(document, source, options))) return false;
    }
  }
  for (const { descriptor, bytes } of added.nodes.values())
    addNode(graph, descriptor, bytes, options);
  return true;
}

/** Results by manifest digest, because the same image is usually copied several times in a row. */
const JUDGED = new Map<Digest, boolean>();
const MAX_JUDGED = 10_000;

async function judged(digest: Digest, judge: () => Promise<boolean>): Promise<boolean> {
  const known = JUDGED.get(digest);
  if (known !== undefined) return known;
  const isRunnable = await judge();
  if (JUDGED.size >= MAX_JUDGED) JUDGED.clear();
  JUDGED.set(digest, isRunnable);
  return isRunnable;
}

async function listed(
  source: Source,
  digest: Digest,
  { signal }: GraphOptions,
): Promise<Descriptor[]> {
  return (await withErrorSide('source', async () => source.referrers?.(digest, { signal }))) ?? [];
}

/**
 * https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md: tags such as
 * `sha256-<hex>.sig`.
 */
async function cosignTags(
  source: Source,
  digest: Digest,
  { signal }: GraphOptions,
): Promise<Tagged[]> {
  const names = COSIGN_SUFFIXES.map(
    (suffix) => `${digest.slice(0, 6)}-${encodedOf(digest)}.${suffix}`,
  );
  const found = await Promise.all(
    names.map(async (tag) => ({ tag, descriptor: await find(source, tag, signal) })),
  );
  return found.flatMap(({ tag, descriptor }) => (descriptor ? [{ tag, descriptor }] : []));
}

async function find(
  source: Source,
  tag: string,
  signal: AbortSignal,
): Promise<Descriptor | undefined> {
  try {
    return await withErrorSide('source', () => source.resolve(tag, { signal }));
  } catch (error) {
    if (isOciError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}
