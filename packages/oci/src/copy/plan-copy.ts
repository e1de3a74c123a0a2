/** What a copy would have to do, found out by asking alone: no blob is read and nothing is written. */

import type { Descriptor } from '../model/descriptor.ts';
import { forEachAtMost } from './concurrency.ts';
import type { Source, Target } from './content.ts';
import { type CopyOptions, prepare } from './copy.ts';
import { missing } from './copy-missing.ts';
import { withErrorSide } from './error-side.ts';

export interface CopyPlan {
  root: Descriptor;
  /** Of all distinct blobs and manifests. */
  bytesTotal: number;
  /** Blobs that the target lacks; some of them it may mount. */
  blobs: Descriptor[];
  /** Manifests that it lacks. */
  manifests: Descriptor[];
}

type Asking = Pick<Target, 'exists'>;

/** @throws any AppError of either end, with its `side`; the reason of `signal` */
export async function planCopy(
  source: Source,
  reference: string,
  target: Asking,
  options: CopyOptions & { signal: AbortSignal },
): Promise<CopyPlan> {
  // Which referrers are images only their blobs say: the plan counts them all.
  const { graph, root, limits } = await prepare(source, reference, {
    ...options,
    skipContentCheck: true,
  });
  const wanted = await missing({ graph, target, limits });
  const blobs: Descriptor[] = [];
  const asked = [...graph.blobs.values()].filter(({ digest }) => wanted.has(digest));
  await forEachAtMost(limits.concurrency, asked, async (blob) => {
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
