/** Dry run of a copy: finds what it would transfer without reading blobs or writing anything. */

import type { Descriptor } from '../model/descriptor.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Source, Target } from './content.ts';
import { type CopyOptions, prepare } from './copy.ts';
import { missing } from './copy-missing.ts';
import { withErrorSide } from './error-side.ts';

export interface CopyPlan {
  root: Descriptor;
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
  const wanted = await missing({ graph, target, limits });
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
  return { root, bytesTotal, blobs, manifests };
}
