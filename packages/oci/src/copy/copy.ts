/**
 * Copies an image between a `Source` and a `Target`; pull, push, retag and mirror are all this
 * function.
 *
 * 1. Resolve the reference once; everything after that is addressed by digest.
 * 2. Read all manifests below the root (and, on request, its referrers that are not images).
 * 3. Skip every manifest the target has, with everything below it: manifests are stored after their
 *    children.
 * 4. Blobs first, several at once: skip those present, mount where possible, transfer the rest.
 * 5. Manifests, children before parents; then referrers, which never decide over the image; tags
 *    last, the root's tag after or together with the last manifest.
 * 6. Resolve the reference at the target and compare the digests.
 */

import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { type ManifestLimits, parseManifest } from '../model/manifest.ts';
import { choosePlatforms, leftForPlatforms, writeIndex } from '../model/platform.ts';
import { digestOf } from './buffered.ts';
import type { Source, Target } from './content.ts';
import { type CopyContext, copyMissing } from './copy-missing.ts';
import { withErrorSide } from './error-side.ts';
import {
  addNode,
  createGraph,
  explore,
  type Graph,
  type GraphOptions,
  ranks,
  readManifest,
} from './graph.ts';
import { createOptional, type LeftBehind } from './left-behind.ts';
import { type CopyProgress, createProgressTracker } from './progress.ts';
import { exploreReferrers, type ReferrerOptions, type Tagged } from './referrers.ts';
import { assertPlatforms } from './single-platform.ts';
import { readBack, setTag } from './tags.ts';

export interface CopyOptions extends ManifestLimits {
  /** The tag to set. Without it the content is addressable by digest only. */
  targetTag?: string | undefined;
  /**
   * Platforms as `os/architecture[/variant]`. If one image matches, its manifest is copied instead
   * of the index. If several match, a new index lists just these, because registries reject an
   * index with missing children. A reference that is not an index is copied unchanged.
   */
  platforms?: 'all' | string[] | undefined;
  /**
   * With `platforms`: an index is copied as it is, and its other manifests are left at the source.
   * An index that has none of the platforms is copied whole, as is all that is no index.
   */
  keepIndex?: boolean | undefined;
  /** Leaves out the manifests of an index that the source does not have, in place of an error. */
  skipAbsent?: boolean | undefined;
  /** The target may have an index without all of its manifests, so they are looked for as well. */
  sparseTarget?: boolean | undefined;
  /**
   * Annotation for an index that was reduced to `platforms`, with the digest of the original index.
   * Docker indexes have no annotations.
   */
  reducedFrom?: string | undefined;
  /** Number of blobs copied concurrently. */
  concurrency?: number | undefined;
  /** Repositories of the target registry that may hold a blob. */
  mountFrom?: ((descriptor: Descriptor) => string[] | Promise<string[]>) | undefined;
  onProgress?: ((progress: CopyProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  maxDepth?: number | undefined;
  /** The descriptor of the reference, if the caller has resolved it already. */
  root?: Descriptor | undefined;
  /**
   * Also copies signatures, SBOMs and attestations; referrers that are runnable images are not
   * copied. What can't be copied is left behind, and with `required` it ends the copy.
   */
  includeReferrers?: boolean | 'required' | undefined;
  /** Pauses in milliseconds between reads of what was pushed, while the target doesn't show it. */
  readBackPauses?: readonly number[] | undefined;
  /** Called with all missing blobs before the first one is transferred. Throwing ends the copy. */
  admit?: ((blobs: readonly Descriptor[]) => Promise<void>) | undefined;
  /** Copies no blobs: for a target that shares blob storage with the source. */
  manifestsOnly?: boolean | undefined;
}

export interface CopyResult {
  root: Descriptor;
  bytesMoved: number;
  bytesReused: number;
  bytesMounted: number;
  /** Total size of all distinct blobs and manifests. */
  size: number;
  /** What `includeReferrers` did not copy, and why. */
  leftBehind: readonly LeftBehind[];
  /** What indexes list and was not copied. */
  absent: readonly Digest[];
}

interface Plan extends CopyContext {
  root: Descriptor;
  /** Tags that cosign looks for. */
  tags: Tagged[];
  options: CopyOptions;
}

const DEFAULT_CONCURRENCY = 6;

/** @throws OciError of either end, with its `side`; the reason of `signal` */
export async function copy(
  source: Source,
  reference: string,
  target: Target,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const failure = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, failure.signal])
    : failure.signal;
  try {
    const found = await prepare(source, reference, { ...options, signal });
    const { mountFrom, admit, manifestsOnly = false, sparseTarget = false } = options;
    const rootTag = rootTagOf(found, options);
    const how = { mountFrom, admit, manifestsOnly, sparseTarget, rootTag, options };
    const plan = { ...found, source, target, ...how };
    return await execute(plan, (error) => failure.abort(error));
  } catch (error) {
    failure.abort(error);
    // An aborted end may throw any error; report the abort itself.
    throw options.signal?.aborted ? options.signal.reason : error;
  }
}

type Found = Pick<Plan, 'graph' | 'limits' | 'root' | 'tags' | 'optional'>;

/** Steps 1 and 2: finds everything that is to be copied. */
export async function prepare(
  source: Source,
  reference: string,
  options: CopyOptions & Pick<ReferrerOptions, 'skipContentCheck'> & { signal: AbortSignal },
): Promise<Found> {
  const { signal, concurrency = DEFAULT_CONCURRENCY } = options;
  const limits = { ...options, concurrency, signal };
  signal.throwIfAborted();
  const resolve = () => source.resolve(reference, { signal, fetching: true });
  const resolved = options.root ?? (await withErrorSide('source', resolve));
  const graph = createGraph();
  const root = await chooseRoot(graph, source, resolved, limits);
  const listed = graph.nodes.get(root.digest)?.manifests;
  await explore(graph, source, listed ?? [root], limits, listed !== undefined);
  const { includeReferrers = false } = options;
  const optional = createOptional({ isRequired: includeReferrers === 'required', signal });
  const tags = includeReferrers
    ? await exploreReferrers(graph, source, { ...limits, optional })
    : [];
  const { descriptor = root } = graph.nodes.get(root.digest) ?? {};
  return { graph, limits, root: descriptor, tags, optional };
}

async function chooseRoot(
  graph: Graph,
  source: Source,
  root: Descriptor,
  options: GraphOptions & CopyOptions,
): Promise<Descriptor> {
  const { platforms = 'all', keepIndex = false } = options;
  if (platforms === 'all' || platforms.length === 0) return root;
  const bytes = await withErrorSide('source', () => readManifest(source, root, options));
  const document = await withErrorSide('source', () =>
    parseManifest(bytes, root.mediaType, options),
  );
  const copyAs = async (left: readonly Descriptor[] = []) =>
    (await addNode(graph, root, bytes, options, left)).descriptor;
  if (keepIndex)
    return copyAs(document.kind === 'index' ? leftForPlatforms(document, platforms) : []);
  if (document.kind !== 'index') {
    const { signal } = options;
    await withErrorSide('source', () => assertPlatforms(document, platforms, { source, signal }));
    return copyAs();
  }
  const { images, attestations } = await withErrorSide('source', async () =>
    choosePlatforms(document, platforms),
  );
  const [first] = images;
  if (first && images.length === 1) return first;
  const chosen = [...images, ...attestations];
  if (chosen.length === document.manifests.length) return copyAs();
  const note = options.reducedFrom ? { [options.reducedFrom]: root.digest } : undefined;
  const written = writeIndex(document, chosen, note);
  const descriptor = {
    mediaType: document.mediaType,
    digest: await digestOf(written),
    size: written.byteLength,
  };
  return (await addNode(graph, descriptor, written, options)).descriptor;
}

async function execute(plan: Plan, fail: (error: unknown) => void): Promise<CopyResult> {
  const { graph, root, optional } = plan;
  const bytesTotal = [...graph.blobs.values()].reduce(
    (sum, { size }) => sum + size,
    graph.manifestBytes,
  );
  const progress = createProgressTracker({
    bytesTotal,
    blobsTotal: graph.blobs.size,
    onProgress: plan.options.onProgress,
    fail,
  });
  try {
    await tagAll(plan, await copyMissing(plan, progress, fail));
    progress.finish();
  } finally {
    progress.stop();
  }
  const { bytesMoved, bytesReused, bytesMounted } = progress.snapshot();
  const size = bytesTotal;
  const [leftBehind, absent] = [optional.left, [...graph.absent]];
  return { root, bytesMoved, bytesReused, bytesMounted, size, leftBehind, absent };
}

/**
 * The root can be pushed by its tag (one request instead of two) if no other manifest or tag has to
 * come after it.
 */
function rootTagOf({ graph, root, tags }: Found, { targetTag }: CopyOptions): Plan['rootTag'] {
  const rankOf = ranks(graph);
  const rank = rankOf.get(root.digest) ?? 0;
  const others = [...rankOf.values()].filter((each) => each >= rank).length - 1;
  if (targetTag === undefined || tags.length > 0 || others > 0) return undefined;
  return { digest: root.digest, tag: targetTag };
}

async function tagAll(
  { target, root, tags, options, limits, rootTag, optional }: Plan,
  { wanted, failed }: Awaited<ReturnType<typeof copyMissing>>,
): Promise<void> {
  const { signal } = limits;
  const { targetTag } = options;
  // A referrer that the target refused has been named already.
  for (const tagged of tags.filter(({ descriptor }) => !failed.has(descriptor.digest)))
    await optional.attempt({ kind: 'tag', name: tagged.tag }, () => setTag(target, tagged, limits));
  const isTagged = targetTag === undefined || (rootTag !== undefined && wanted.has(root.digest));
  if (!isTagged) await setTag(target, { descriptor: root, tag: targetTag }, limits);
  const pushed = { root, reference: targetTag ?? root.digest };
  await withErrorSide('target', () =>
    readBack(target, pushed, { signal, pauses: options.readBackPauses }),
  );
}
