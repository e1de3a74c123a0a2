/**
 * Signatures, SBOMs and attestations: what refers to a manifest, in the ways of OCI 1.1 and of cosign before it. Any
 * manifest can refer to any other, so what an engine could run is left where it is.
 */
import { type AppError, isAppError, tooLarge } from '@portcullis/errors';
import type { Descriptor } from '../model/descriptor.ts';
import { type Digest, encodedOf } from '../model/digest.ts';
import { isSociIndex } from '../model/media-type.ts';
import { isRunnable } from '../model/runnable.ts';
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

export interface Tagged {
  descriptor: Descriptor;
  tag: string;
}

export interface Referrers {
  /** The tags that cosign looks for. */
  tags: Tagged[];
  /** Referrers that a container engine could run: they would arrive as images that nobody asked for, and unscanned. */
  leftBehind: Descriptor[];
}

/** Of one image, with what refers to them in turn. Each is a request, and those that stay behind are remembered too. */
const MAX_REFERRERS = 10_000;

const COSIGN_SUFFIXES = ['sig', 'att', 'sbom'];

/** Adds to the graph what refers to it, and what refers to that, but for what is an image itself. */
export async function exploreReferrers(
  graph: Graph,
  source: Source,
  options: ReferrerOptions,
): Promise<Referrers> {
  const tags: Tagged[] = [];
  const leftBehind = new Map<Digest, Descriptor>();
  const asked = new Set<Digest>();
  for (let depth = 0; depth < (options.maxDepth ?? MAX_DEPTH); depth += 1) {
    const subjects = [...graph.nodes.keys()].filter((digest) => !asked.has(digest));
    if (subjects.length === 0) break;
    const found = new Map<Digest, Descriptor>();
    await forEachAtMost(options.concurrency, subjects, async (digest) => {
      asked.add(digest);
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

/** What a listing says besides is not used, and there may be megabytes of it. */
function bare({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}

function tooMany(): AppError {
  return tooLarge('REFERRERS_TOO_MANY', `more than ${MAX_REFERRERS} manifests refer to the image`, {
    side: 'source',
  });
}

export interface ReferrerOptions extends GraphOptions {
  /** Takes all of them without reading their blobs, for an estimate. */
  skipContentCheck?: boolean | undefined;
}

/** False where some manifest of it is an image, or changes what engines make of one. What the graph has already is a part of the root, and judged with it. */
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
      if (await judged(digest, () => isRunnable(document, source, options.signal))) return false;
    }
  }
  for (const { descriptor, bytes } of added.nodes.values())
    addNode(graph, descriptor, bytes, options);
  return true;
}

/** By the digest of the manifest: the pull, the scan and the push of a job each ask. */
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

/** https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md: `sha256-<hex>.sig` beside the image. */
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
    if (isAppError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}
