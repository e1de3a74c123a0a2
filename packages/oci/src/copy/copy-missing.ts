/**
 * Copies what the target lacks: blobs before manifests, and child manifests before their parents.
 */

import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { isForeign } from '../model/media-type.ts';
import { isOciError, notFound, type OciError } from '../oci-error.ts';
import { contentOf } from './buffered.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Content, FetchOptions, Source, Target } from './content.ts';
import { copyReferrers } from './copy-referrers.ts';
import { contentWithErrorSide, withErrorSide, withPushErrorSide } from './error-side.ts';
import { type Graph, type GraphOptions, type Node, ranks } from './graph.ts';
import type { Optional } from './left-behind.ts';
import { assertPossessed } from './possession.ts';
import type { ProgressEntry, ProgressTracker, TransferMethod } from './progress.ts';
import { leadsTo } from './tags.ts';

export interface CopyContext {
  source: Source;
  target: Target;
  graph: Graph;
  limits: GraphOptions;
  /** Takes the failures of referrers. */
  optional: Optional;
  /**
   * Repositories of the target registry that may hold the blob and from which it can be mounted.
   */
  mountFrom: ((descriptor: Descriptor) => string[] | Promise<string[]>) | undefined;
  admit: ((blobs: readonly Descriptor[]) => Promise<void>) | undefined;
  manifestsOnly: boolean;
  /** The target may have an index without all of its manifests. */
  sparseTarget: boolean;
  /** The root manifest, if it can be pushed by its tag instead of by its digest. */
  rootTag: { digest: Digest; tag: string } | undefined;
}

/**
 * @param fail Called with the first failure; it aborts the other transfers.
 * @returns the digests that the target lacked, and those of referrers that it still lacks
 */
export async function copyMissing(
  move: CopyContext,
  progress: ProgressTracker,
  fail: (error: unknown) => void,
): Promise<{ wanted: ReadonlySet<Digest>; failed: ReadonlySet<Digest> }> {
  const wanted = await missing(move);
  const isWanted = (descriptor: Descriptor) => wanted.has(descriptor.digest);
  const { graph, limits } = move;
  for (const { descriptor } of graph.nodes.values()) {
    if (!isWanted(descriptor)) progress.begin(descriptor, false).complete('reused');
  }
  for (const blob of graph.blobs.values())
    if (!isWanted(blob)) progress.begin(blob, true).complete('reused');
  const guard = <T>(work: (item: T) => Promise<void>) => failing(work, fail);

  const essential = essentialBlobs(graph);
  const wantedBlobs = move.manifestsOnly ? [] : [...graph.blobs.values()].filter(isWanted);
  const blobs = largestFirst(wantedBlobs.filter(({ digest }) => essential.has(digest)));
  if (blobs.length > 0) await move.admit?.(blobs);
  await forEachAtMost(
    limits.concurrency,
    blobs,
    guard((blob) => copyBlob(move, blob, progress.begin(blob, true))),
  );
  const manifests = levels(graph).map((level) =>
    level.filter(({ descriptor }) => isWanted(descriptor)),
  );
  const isOptional = ({ descriptor }: Node) => graph.optional.has(descriptor.digest);
  for (const level of manifests)
    await forEachAtMost(
      limits.concurrency,
      level.filter((node) => !isOptional(node)),
      guard((node) => putManifest(move, node, progress)),
    );
  const failed = await copyReferrers(move, {
    blobs: largestFirst(wantedBlobs.filter(({ digest }) => !essential.has(digest))),
    levels: manifests.map((level) => level.filter(isOptional)),
    copyBlob: (blob) => copyBlob(move, blob, progress.begin(blob, true)),
    putManifest: (node) => putManifest(move, node, progress),
  });
  return { wanted, failed };
}

/** The largest blobs first, so that none of them runs alone at the end. */
function largestFirst(blobs: Descriptor[]): Descriptor[] {
  return blobs.sort((one, other) => other.size - one.size);
}

function essentialBlobs({ nodes, optional }: Graph): Set<Digest> {
  const essential = [...nodes.values()].filter(
    ({ descriptor }) => !optional.has(descriptor.digest),
  );
  return new Set(essential.flatMap(({ blobs }) => blobs.map(({ digest }) => digest)));
}

function failing<T>(
  work: (item: T) => Promise<void>,
  fail: (error: unknown) => void,
): (item: T) => Promise<void> {
  return async (item) => {
    try {
      await work(item);
    } catch (error) {
      fail(error);
      throw error;
    }
  };
}

/**
 * Digests the target lacks, from the roots down. Nothing below a manifest that it has is checked,
 * except the manifests of an index where it may be sparse.
 */
export async function missing({
  graph,
  target,
  limits,
  sparseTarget,
}: Pick<CopyContext, 'graph' | 'limits' | 'sparseTarget'> & {
  target: Pick<Target, 'exists'>;
}): Promise<Set<Digest>> {
  const { concurrency, signal } = limits;
  const wanted = new Set<Digest>();
  const isPresent = async ({ descriptor }: Node): Promise<boolean> => {
    try {
      return await withErrorSide('target', () => target.exists(descriptor, { signal }));
    } catch (error) {
      signal.throwIfAborted();
      if (isOciError(error) && graph.optional.has(descriptor.digest)) return false;
      throw error;
    }
  };
  let level = tops(graph);
  while (level.length > 0) {
    const below: Node[] = [];
    await forEachAtMost(concurrency, level, async (node) => {
      signal.throwIfAborted();
      const isWanted = !(await isPresent(node));
      if (isWanted) {
        wanted.add(node.descriptor.digest);
        for (const blob of node.blobs) wanted.add(blob.digest);
      }
      if (isWanted || sparseTarget)
        below.push(...node.manifests.flatMap(({ digest }) => graph.nodes.get(digest) ?? []));
    });
    level = [...new Set(below)].filter(({ descriptor }) => !wanted.has(descriptor.digest));
  }
  return wanted;
}

function tops(graph: Graph): Node[] {
  const children = new Set(
    [...graph.nodes.values()].flatMap((node) => node.manifests.map(({ digest }) => digest)),
  );
  return [...graph.nodes.values()].filter(({ descriptor }) => !children.has(descriptor.digest));
}

function levels(graph: Graph): Node[][] {
  const byRank: Node[][] = [];
  for (const [digest, rank] of ranks(graph)) {
    const node = graph.nodes.get(digest);
    if (node) byRank[rank] = [...(byRank[rank] ?? []), node];
  }
  return byRank.filter((level) => level !== undefined);
}

async function copyBlob(
  context: CopyContext,
  blob: Descriptor,
  entry: ProgressEntry,
): Promise<void> {
  const { source, target, limits } = context;
  const { signal } = limits;
  signal.throwIfAborted();
  // Mounting a blob that is already present is harmless, so mounting saves the existence check.
  if (await mount(context, blob)) return entry.complete('mounted');
  if (await withErrorSide('target', () => target.exists(blob, { signal, pushing: true })))
    return entry.complete('reused');
  const open = (options: FetchOptions) => openBlob(context, blob, options);
  const onBytes = (bytes: number, method: TransferMethod) => entry.add(bytes, method);
  const confirm = (kept: typeof open) => assertPossessed(blob, { source: open, kept }, { signal });
  // A foreign layer that is missing has a separate error, which `open` makes.
  const move = isForeign(blob) ? undefined : source.mover?.(blob);
  await withPushErrorSide(() => target.push(blob, open, { signal, onBytes, confirm, move }));
  entry.complete('moved');
}

async function mount(
  { target, mountFrom, limits }: CopyContext,
  blob: Descriptor,
): Promise<boolean> {
  if (!target.mount || !mountFrom) return false;
  const { signal } = limits;
  for (const repository of await mountFrom(blob)) {
    if (await withErrorSide('target', async () => target.mount?.(blob, repository, { signal })))
      return true;
  }
  return false;
}

async function openBlob(
  { source, limits }: CopyContext,
  blob: Descriptor,
  options: FetchOptions,
): Promise<Content> {
  const signal = options.signal ? AbortSignal.any([options.signal, limits.signal]) : limits.signal;
  try {
    return contentWithErrorSide(
      'source',
      await withErrorSide('source', () => source.fetch(blob, { ...options, signal })),
      signal,
    );
  } catch (error) {
    if (isForeign(blob) && isOciError(error) && error.kind === 'not_found')
      throw foreignLayer(blob, error);
    throw error;
  }
}

function foreignLayer({ digest, urls = [] }: Descriptor, cause: unknown): OciError {
  const message =
    "a layer may not be distributed by the registry and isn't in it; it is not fetched from elsewhere";
  return notFound('LAYER_FOREIGN', message, {
    cause,
    side: 'source',
    detail: { digest, urls: urls.slice(0, 10) },
  });
}

async function putManifest(
  { target, limits, rootTag }: CopyContext,
  node: Node,
  progress: ProgressTracker,
): Promise<void> {
  const { signal } = limits;
  signal.throwIfAborted();
  const entry = progress.begin(node.descriptor, false);
  const open = async (options: FetchOptions) => contentOf(node.bytes, options);
  const onBytes = (bytes: number, method: TransferMethod) => entry.add(bytes, method);
  const tag = rootTag?.digest === node.descriptor.digest ? rootTag.tag : undefined;
  await withErrorSide('target', async () => {
    try {
      await target.push(node.descriptor, open, { signal, onBytes, tag });
    } catch (error) {
      // Another push, or a try whose answer was lost, may have set an immutable tag just before.
      const isSet = tag !== undefined && (await leadsTo(target, { ...node, tag }, { signal }));
      if (!isSet) throw error;
    }
  });
  entry.complete('moved');
}
