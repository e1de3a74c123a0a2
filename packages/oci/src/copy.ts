/**
 * The mover: pull, push, retag and transfer are this one function over two ports.
 *
 * 1. Resolve the reference once; from then on everything goes by digest.
 * 2. Read all manifests under the root (and, if wanted, of what refers to it).
 * 3. Leave out every manifest the target has, with all beneath it: it was stored after its children.
 * 4. Blobs first: skip what is there, mount what the target can, move the rest; several at once.
 * 5. Manifests, children before parents; tags last, the root's after all others.
 * 6. Ask the target what it has now, and compare.
 */
import { invalid, isAppError, notFound } from '@portcullis/errors';
import { contentOf, digestOf } from './buffered.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Content, FetchOptions, Source, Target } from './content.ts';
import type { Descriptor } from './descriptor.ts';
import type { Digest } from './digest.ts';
import {
  addNode,
  createGraph,
  explore,
  type Graph,
  type GraphOptions,
  type Node,
  ranks,
  readManifest,
} from './graph.ts';
import { type ManifestLimits, parseManifest } from './manifest.ts';
import { isForeign } from './media-type.ts';
import { choosePlatforms, writeIndex } from './platform.ts';
import { type CopyProgress, createTally, type Entry, type Tally } from './progress.ts';
import { exploreReferrers, type Tagged } from './referrers.ts';
import { contentOnSide, onSide } from './side.ts';

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
  /** Signatures, SBOMs and attestations travel along. */
  includeReferrers?: boolean | undefined;
}

export interface CopyResult {
  root: Descriptor;
  bytesMoved: number;
  bytesReused: number;
  bytesMounted: number;
  /** Of all distinct blobs and manifests. */
  size: number;
}

interface Plan {
  source: Source;
  target: Target;
  options: CopyOptions;
  graph: Graph;
  root: Descriptor;
  tags: Tagged[];
  limits: GraphOptions;
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
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  try {
    const plan = await prepare(source, reference, target, { ...options, signal });
    return await execute(plan, (error) => failure.abort(error));
  } catch (error) {
    failure.abort(error);
    // Whatever an aborted end made of it, the abort is what happened.
    throw options.signal?.aborted ? options.signal.reason : error;
  }
}

async function prepare(
  source: Source,
  reference: string,
  target: Target,
  options: CopyOptions & { signal: AbortSignal },
): Promise<Plan> {
  const { signal, concurrency = DEFAULT_CONCURRENCY } = options;
  const limits = { ...options, concurrency, signal };
  signal.throwIfAborted();
  const resolved = options.root ?? (await onSide('source', () => source.resolve(reference, { signal })));
  const graph = createGraph();
  const root = await chooseRoot(graph, source, resolved, limits);
  await explore(graph, source, graph.nodes.get(root.digest)?.manifests ?? [root], limits);
  const tags = options.includeReferrers ? await exploreReferrers(graph, source, limits) : [];
  return {
    source,
    target,
    options,
    graph,
    root: graph.nodes.get(root.digest)?.descriptor ?? root,
    tags,
    limits,
  };
}

async function chooseRoot(
  graph: Graph,
  source: Source,
  root: Descriptor,
  options: GraphOptions & CopyOptions,
): Promise<Descriptor> {
  const { platforms = 'all' } = options;
  if (platforms === 'all' || platforms.length === 0) return root;
  const bytes = await onSide('source', () => readManifest(source, root, options));
  const document = await onSide('source', async () => parseManifest(bytes, root.mediaType, options));
  const whole = () => addNode(graph, root, bytes, options).descriptor;
  if (document.kind !== 'index') return whole();
  const { images, attestations } = await onSide('source', async () => choosePlatforms(document, platforms));
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
  const { graph, root } = plan;
  const bytesTotal = [...graph.blobs.values()].reduce((sum, { size }) => sum + size, graph.manifestBytes);
  const tally = createTally({
    bytesTotal,
    blobsTotal: graph.blobs.size,
    onProgress: plan.options.onProgress,
    fail,
  });
  try {
    await moveAll(plan, tally, fail);
    await tagAll(plan);
    tally.finish();
  } finally {
    tally.stop();
  }
  const { bytesMoved, bytesReused, bytesMounted } = tally.snapshot();
  return { root, bytesMoved, bytesReused, bytesMounted, size: bytesTotal };
}

async function moveAll(plan: Plan, tally: Tally, fail: (error: unknown) => void): Promise<void> {
  const wanted = await missing(plan);
  const isWanted = (descriptor: Descriptor) => wanted.has(descriptor.digest);
  const { graph, limits } = plan;
  for (const { descriptor } of graph.nodes.values()) {
    if (!isWanted(descriptor)) tally.begin(descriptor, false).complete('reused');
  }
  for (const blob of graph.blobs.values()) if (!isWanted(blob)) tally.begin(blob, true).complete('reused');
  const guarded = <T>(work: (item: T) => Promise<void>) => failing(work, fail);

  // The largest first, so that it doesn't go on alone at the end.
  const blobs = [...graph.blobs.values()].filter(isWanted).sort((one, other) => other.size - one.size);
  await forEachAtMost(
    limits.concurrency,
    blobs,
    guarded((blob) => moveBlob(plan, blob, tally.begin(blob, true))),
  );
  for (const level of levels(graph)) {
    const nodes = level.filter(({ descriptor }) => isWanted(descriptor));
    await forEachAtMost(
      limits.concurrency,
      nodes,
      guarded((node) => putManifest(plan, node, tally)),
    );
  }
}

/** The first failure stops what else is under way. */
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

/** Digests the target lacks, going down from the tops: nothing under a manifest it has is asked for. */
async function missing({ graph, target, limits }: Plan): Promise<Set<Digest>> {
  const { concurrency, signal } = limits;
  const wanted = new Set<Digest>();
  let level = tops(graph);
  while (level.length > 0) {
    const below: Node[] = [];
    await forEachAtMost(concurrency, level, async (node) => {
      signal.throwIfAborted();
      if (await onSide('target', () => target.exists(node.descriptor, { signal }))) return;
      wanted.add(node.descriptor.digest);
      for (const blob of node.blobs) wanted.add(blob.digest);
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

async function moveBlob(plan: Plan, blob: Descriptor, entry: Entry): Promise<void> {
  const { target, limits } = plan;
  const { signal } = limits;
  signal.throwIfAborted();
  if (await onSide('target', () => target.exists(blob, { signal }))) return entry.complete('reused');
  if (await mounted(plan, blob)) return entry.complete('mounted');
  const open = (options: FetchOptions) => openBlob(plan, blob, options);
  const onBytes = (bytes: number, how: 'moved' | 'reused') => entry.add(bytes, how);
  await onSide('target', () => target.push(blob, open, { signal, onBytes }));
  entry.complete('moved');
}

async function mounted({ target, options, limits }: Plan, blob: Descriptor): Promise<boolean> {
  if (!target.mount || !options.mountFrom) return false;
  const { signal } = limits;
  for (const repository of await options.mountFrom(blob)) {
    if (await onSide('target', async () => target.mount?.(blob, repository, { signal }))) return true;
  }
  return false;
}

async function openBlob({ source, limits }: Plan, blob: Descriptor, options: FetchOptions): Promise<Content> {
  const signal = options.signal ? AbortSignal.any([options.signal, limits.signal]) : limits.signal;
  try {
    return contentOnSide(
      'source',
      await onSide('source', () => source.fetch(blob, { ...options, signal })),
      signal,
    );
  } catch (error) {
    if (isForeign(blob) && isAppError(error) && error.kind === 'not_found') throw foreignLayer(blob, error);
    throw error;
  }
}

function foreignLayer({ digest, urls = [] }: Descriptor, cause: unknown) {
  const message =
    "a layer may not be distributed by the registry and isn't in it; it is not fetched from elsewhere";
  return notFound('LAYER_FOREIGN', message, {
    cause,
    side: 'source',
    detail: { digest, urls: urls.slice(0, 10) },
  });
}

async function putManifest({ target, limits }: Plan, node: Node, tally: Tally): Promise<void> {
  const { signal } = limits;
  signal.throwIfAborted();
  const entry = tally.begin(node.descriptor, false);
  const open = async (options: FetchOptions) => contentOf(node.bytes, options);
  const onBytes = (bytes: number, how: 'moved' | 'reused') => entry.add(bytes, how);
  await onSide('target', () => target.push(node.descriptor, open, { signal, onBytes }));
  entry.complete('moved');
}

async function tagAll({ target, root, tags, options, limits }: Plan): Promise<void> {
  const { signal } = limits;
  const { targetTag } = options;
  const wanted = targetTag === undefined ? tags : [...tags, { descriptor: root, tag: targetTag }];
  for (const { descriptor, tag } of wanted)
    await onSide('target', () => target.tag(descriptor, tag, { signal }));
  const stored = await onSide('target', () => target.resolve(targetTag ?? root.digest, { signal }));
  if (stored.digest !== root.digest) throw targetMismatch(root, stored);
}

/** Someone else moved the tag in this moment, or the registry rewrites manifests. */
function targetMismatch(root: Descriptor, stored: Descriptor) {
  return invalid('TARGET_DIGEST_MISMATCH', 'the target has another digest than was copied', {
    side: 'target',
    detail: { expected: root.digest, found: stored.digest },
  });
}
