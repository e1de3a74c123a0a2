/** Dry run of a copy: finds what it would transfer without reading blobs or writing anything. */

import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Source, Target } from './content.ts';
import { type CopyOptions, prepare } from './copy.ts';
import { missing } from './copy-missing.ts';
import { withErrorSide } from './error-side.ts';
import type { Graph } from './graph.ts';

export interface CopyPlan {
  root: Descriptor;
  /** The manifests in an index, without indexes in it; empty where the root is no index. */
  parts: Digest[];
  /** Total size of all distinct blobs and manifests. */
  bytesTotal: number;
  /** Blobs that the target lacks; some may be mounted instead of transferred. */
  blobs: Descriptor[];
  /** Manifests that the target lacks. */
  manifests: Descriptor[];
}

type ExistenceCheck = Pick<Target, 'exists'>;

/** @throws OciError of either end, with its `side`; the reason of `signal` */
export async function planCopy(
  source: Source,
  reference: string,
  target: ExistenceCheck,
  options: CopyOptions & { signal: AbortSignal },
): Promise<CopyPlan> {
  // Only the blobs of a referrer tell whether it is an image; without reading them, the plan counts
  // all referrers.
  const { graph, root, limits } = await prepare(source, reference, {
    ...options,
    skipContentCheck: true,
  });
  const { sparseTarget = false } = options;
  const wanted = await missing({ graph, target, limits, sparseTarget });
  const blobs: Descriptor[] = [];
  const candidates = [...graph.blobs.values()].filter(({ digest }) => wanted.has(digest));
  await forEachAtMost(limits.concurrency, candidates, async (blob) => {
    if (!(await withErrorSide('target', () => target.exists(blob, options)))) blobs.push(blob);
  });
  const manifests = [...graph.nodes.values()]
    .map(({ descriptor }) => descriptor)
    .filter(({ digest }) => wanted.has(digest));
  const bytesTotal = [...graph.blobs.values()].reduce(
    (sum, { size }) => sum + size,
    graph.manifestBytes,
  );
  return { root, parts: partsOf(graph, root), bytesTotal, blobs, manifests };
}

/** Each manifest once: an index may list one a thousand times. */
function partsOf({ nodes }: Graph, root: Descriptor): Digest[] {
  const found = new Set<Digest>([root.digest]);
  for (const digest of found)
    for (const child of nodes.get(digest)?.manifests ?? []) found.add(child.digest);
  return [...found].filter(
    (digest) => digest !== root.digest && nodes.get(digest)?.document.kind === 'manifest',
  );
}
