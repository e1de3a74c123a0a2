/**
 * Graph of the manifests and blobs below a root. Reads every manifest by digest and keeps its
 * bytes.
 */

import { type Descriptor, platformName } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import {
  assertSize,
  type Index,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestLimits,
  parseManifest,
} from '../model/manifest.ts';
import { isManifestType } from '../model/media-type.ts';
import { isOciError, notFound, tooLarge } from '../oci-error.ts';
import { readWhole } from './buffered.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Source } from './content.ts';
import { contentWithErrorSide, withErrorSide } from './error-side.ts';
import { assertOneSizeEach, successors } from './successors.ts';

export const MAX_DEPTH = 4;
/**
 * Limit for all manifests of a copy together, which are held in memory: a multiple of the largest
 * allowed one.
 */
const MAX_TREE = 16;

export interface Node {
  descriptor: Descriptor;
  document: Manifest | Index;
  bytes: Uint8Array;
  manifests: Descriptor[];
  blobs: Descriptor[];
}

export interface Graph {
  nodes: Map<Digest, Node>;
  /** The manifests of referrers, which the image can do without. */
  optional: Set<Digest>;
  blobs: Map<Digest, Descriptor>;
  manifestBytes: number;
  /** What indexes list and is not copied. */
  absent: Set<Digest>;
}

export interface GraphOptions extends ManifestLimits {
  concurrency: number;
  signal: AbortSignal;
  maxDepth?: number | undefined;
  /** Leaves out the manifests of an index that the source does not have. */
  skipAbsent?: boolean | undefined;
}

export function createGraph(): Graph {
  return {
    nodes: new Map(),
    optional: new Set(),
    blobs: new Map(),
    manifestBytes: 0,
    absent: new Set(),
  };
}

/**
 * Adds manifests and everything below them, level by level.
 * @param areListed whether the roots are manifests of an index
 */
export async function explore(
  graph: Graph,
  source: Source,
  roots: Descriptor[],
  options: GraphOptions,
  areListed = false,
): Promise<void> {
  const { maxDepth = MAX_DEPTH, concurrency } = options;
  let level = roots;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxDepth)
      throw tooLarge('MANIFEST_TOO_DEEP', `an index is nested more than ${maxDepth} deep`, {
        side: 'source',
      });
    const fresh = distinct(level).filter(({ digest }) => !graph.nodes.has(digest));
    await forEachAtMost(concurrency, fresh, (descriptor) =>
      withErrorSide('source', async () => {
        const isListed = areListed || depth > 0;
        const bytes = isListed
          ? await readListed(graph, source, descriptor, options)
          : await readManifest(source, descriptor, options);
        if (bytes) await addNode(graph, descriptor, bytes, options);
      }),
    );
    level = fresh.flatMap(({ digest }) => graph.nodes.get(digest)?.manifests ?? []);
  }
}

/** Null for a manifest of an index that is left out. @throws not_found `PLATFORM_ABSENT` */
async function readListed(
  graph: Graph,
  source: Source,
  descriptor: Descriptor,
  options: GraphOptions,
): Promise<Uint8Array | null> {
  try {
    return await readManifest(source, descriptor, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!isOciError(error) || error.kind !== 'not_found') throw error;
    if (!options.skipAbsent) throw absentPlatform(descriptor, error);
    graph.absent.add(descriptor.digest);
    return null;
  }
}

function absentPlatform({ digest, platform }: Descriptor, cause: unknown) {
  const name = platform ? platformName(platform) : null;
  return notFound(
    'PLATFORM_ABSENT',
    `the source has the index, but not its ${name ?? 'manifest'} (${digest})`,
    { cause, detail: { digest, platform: name } },
  );
}

export async function readManifest(
  source: Source,
  descriptor: Descriptor,
  options: GraphOptions,
): Promise<Uint8Array> {
  const { signal } = options;
  signal.throwIfAborted();
  assertSize(descriptor.size, options);
  const content = await source.fetch(descriptor, { signal });
  return readWhole(contentWithErrorSide('source', content, signal), descriptor);
}

/** @param left what an index lists and is left at the source */
export async function addNode(
  graph: Graph,
  descriptor: Descriptor,
  bytes: Uint8Array,
  limits: ManifestLimits,
  left: readonly Descriptor[] = [],
): Promise<Node> {
  assertTreeFits(graph, bytes.byteLength, limits);
  graph.manifestBytes += bytes.byteLength;
  for (const { digest } of left) graph.absent.add(digest);
  const node = await nodeOf(graph, descriptor, bytes, limits);
  graph.nodes.set(descriptor.digest, node);
  for (const blob of node.blobs) graph.blobs.set(blob.digest, blob);
  return node;
}

/** @throws too_large `MANIFEST_TOO_LARGE` */
export function assertTreeFits(
  { manifestBytes }: Graph,
  added: number,
  { maxManifestBytes = MAX_MANIFEST_BYTES }: ManifestLimits,
): void {
  if (manifestBytes + added <= MAX_TREE * maxManifestBytes) return;
  throw tooLarge('MANIFEST_TOO_LARGE', 'the manifests of the image are too large together', {
    side: 'source',
  });
}

async function nodeOf(
  { absent }: Graph,
  descriptor: Descriptor,
  bytes: Uint8Array,
  limits: ManifestLimits,
): Promise<Node> {
  const document = await parseManifest(bytes, descriptor.mediaType, limits);
  assertOneSizeEach(document);
  const all = successors(document);
  const children =
    document.kind === 'index' ? all.filter(({ digest }) => !absent.has(digest)) : all;
  return {
    descriptor: { ...descriptor, mediaType: document.mediaType },
    document,
    bytes,
    manifests: children.filter(({ mediaType }) => isManifestType(mediaType)),
    blobs: children.filter(({ mediaType }) => !isManifestType(mediaType)),
  };
}

/**
 * Order of pushes: 1 for a manifest, higher for an index that lists it or a referrer that has it as
 * its subject.
 */
export function ranks(graph: Graph): Map<Digest, number> {
  const known = new Map<Digest, number>();
  const rankOf = (digest: Digest): number => {
    const node = graph.nodes.get(digest);
    if (!node) return 0;
    const before = known.get(digest);
    if (before !== undefined) return before;
    const subject = node.document.subject;
    const below = subject ? [...node.manifests, subject] : node.manifests;
    const rank = 1 + Math.max(0, ...below.map((child) => rankOf(child.digest)));
    known.set(digest, rank);
    return rank;
  };
  for (const digest of graph.nodes.keys()) rankOf(digest);
  return known;
}

function distinct(descriptors: Descriptor[]): Descriptor[] {
  return [...new Map(descriptors.map((descriptor) => [descriptor.digest, descriptor])).values()];
}
