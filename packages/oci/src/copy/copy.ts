/**
 * The mover: pull, push, retag and transfer are this one function over two ports.
 *
 * 1. Resolve the reference once; from then on everything goes by digest.
 * 2. Read all manifests under the root (and, if wanted, of what refers to it and isn't an image).
 * 3. Leave out every manifest the target has, with all beneath it: it was stored after its children.
 * 4. Blobs first: skip what is there, mount what the target can, move the rest; several at once.
 * 5. Manifests, children before parents; tags last, the root's after or with the last manifest.
 * 6. Ask the target what it has now, and compare.
 */
import { invalid } from '@portcullis/errors';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { type ManifestLimits, parseManifest } from '../model/manifest.ts';
import { choosePlatforms, writeIndex } from '../model/platform.ts';
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
import { type CopyProgress, createProgressTracker } from './progress.ts';
import { exploreReferrers, type ReferrerOptions, type Referrers } from './referrers.ts';

export interface CopyOptions extends ManifestLimits {
  /** The tag to set; without one the content is there by its digest alone. */
  targetTag?: string | undefined;
  /**
   * `os/architecture[/variant]` each. One image left: its manifest is copied in place of the index. Several: a new
   * index of just these, for no registry takes an index with gaps. An image that isn't an index is copied as it is.
   */
  platforms?: 'all' | string[] | undefined;
  /** Blobs at once. */
  concurrency?: number | undefined;
  /** Repositories of the target registry that may hold a blob. */
  mountFrom?: ((descriptor: Descriptor) => string[] | Promise<string[]>) | undefined;
  onProgress?: ((progress: CopyProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  maxDepth?: number | undefined;
  /** What the reference was resolved to before. */
  root?: Descriptor | undefined;
  /** Signatures, SBOMs and attestations travel along; referrers that are images don't. */
  includeReferrers?: boolean | undefined;
  /** Asked before the first blob is moved, with all that the target lacks. What it throws ends the copy. */
  admit?: ((blobs: readonly Descriptor[]) => Promise<void>) | undefined;
  /** Blobs stay where they are: for a target that is read together with the source's. */
  manifestsOnly?: boolean | undefined;
}

export interface CopyResult {
  root: Descriptor;
  bytesMoved: number;
  bytesReused: number;
  bytesMounted: number;
  /** Of all distinct blobs and manifests. */
  size: number;
  /** Referrers that are images, which `includeReferrers` leaves at the source. */
  leftBehind: Descriptor[];
}

interface Plan extends CopyContext, Referrers {
  root: Descriptor;
  options: CopyOptions;
}

const DEFAULT_CONCURRENCY = 3;

/** @throws any AppError of either end, with its `side`; the reason of `signal` */
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
    const { mountFrom, admit, manifestsOnly = false } = options;
    const rootTag = rootTagOf(found, options);
    const plan = { ...found, source, target, mountFrom, admit, manifestsOnly, rootTag, options };
    return await execute(plan, (error) => failure.abort(error));
  } catch (error) {
    failure.abort(error);
    // Whatever an aborted end made of it, the abort is what happened.
    throw options.signal?.aborted ? options.signal.reason : error;
  }
}

type Found = Pick<Plan, 'graph' | 'limits' | 'root' | 'tags' | 'leftBehind'>;

/** Steps 1 and 2: everything there is to copy. */
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
  await explore(graph, source, graph.nodes.get(root.digest)?.manifests ?? [root], limits);
  const none: Referrers = { tags: [], leftBehind: [] };
  const referrers = options.includeReferrers ? await exploreReferrers(graph, source, limits) : none;
  const { descriptor = root } = graph.nodes.get(root.digest) ?? {};
  return { graph, limits, root: descriptor, ...referrers };
}

async function chooseRoot(
  graph: Graph,
  source: Source,
  root: Descriptor,
  options: GraphOptions & CopyOptions,
): Promise<Descriptor> {
  const { platforms = 'all' } = options;
  if (platforms === 'all' || platforms.length === 0) return root;
  const bytes = await withErrorSide('source', () => readManifest(source, root, options));
  const document = await withErrorSide('source', async () =>
    parseManifest(bytes, root.mediaType, options),
  );
  const whole = () => addNode(graph, root, bytes, options).descriptor;
  if (document.kind !== 'index') return whole();
  const { images, attestations } = await withErrorSide('source', async () =>
    choosePlatforms(document, platforms),
  );
  const [first] = images;
  if (first && images.length === 1) return first;
  const chosen = [...images, ...attestations];
  if (chosen.length === document.manifests.length) return whole();
  const written = writeIndex(document, root, chosen);
  const descriptor = {
    mediaType: document.mediaType,
    digest: await digestOf(written),
    size: written.byteLength,
  };
  return addNode(graph, descriptor, written, options).descriptor;
}

async function execute(plan: Plan, fail: (error: unknown) => void): Promise<CopyResult> {
  const { graph, root, leftBehind } = plan;
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
    const moved = await copyMissing(plan, progress, fail);
    await tagAll(plan, moved);
    progress.finish();
  } finally {
    progress.stop();
  }
  const { bytesMoved, bytesReused, bytesMounted } = progress.snapshot();
  return { root, bytesMoved, bytesReused, bytesMounted, size: bytesTotal, leftBehind };
}

/** Where nothing else stands on the root, or is tagged before it, the last manifest and the last tag are one step. */
function rootTagOf({ graph, root, tags }: Found, { targetTag }: CopyOptions): Plan['rootTag'] {
  const rankOf = ranks(graph);
  const rank = rankOf.get(root.digest) ?? 0;
  const others = [...rankOf.values()].filter((each) => each >= rank).length - 1;
  if (targetTag === undefined || tags.length > 0 || others > 0) return undefined;
  return { digest: root.digest, tag: targetTag };
}

async function tagAll(
  { target, root, tags, options, limits, rootTag }: Plan,
  moved: ReadonlySet<Digest>,
): Promise<void> {
  const { signal } = limits;
  const { targetTag } = options;
  const isTagged = targetTag === undefined || (rootTag !== undefined && moved.has(rootTag.digest));
  const wanted = isTagged ? tags : [...tags, { descriptor: root, tag: targetTag }];
  for (const { descriptor, tag } of wanted)
    await withErrorSide('target', () => target.tag(descriptor, tag, { signal }));
  const stored = await withErrorSide('target', () =>
    target.resolve(targetTag ?? root.digest, { signal }),
  );
  if (stored.digest !== root.digest) throw targetMismatch(root, stored);
}

/** Someone else moved the tag in this moment, or the registry rewrites manifests. */
function targetMismatch(root: Descriptor, stored: Descriptor) {
  return invalid('TARGET_DIGEST_MISMATCH', 'the target has another digest than was copied', {
    side: 'target',
    detail: { expected: root.digest, found: stored.digest },
  });
}
