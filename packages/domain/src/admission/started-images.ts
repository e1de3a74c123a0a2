/**
 * Which images a cluster starts, from what the webhook answered. It is what was allowed: an image
 * that a webhook only warned of is started as well.
 */
import type { AdmissionPath } from './admission-path.ts';
import type { AdmissionRequest } from './admission-review.ts';

export interface StartedImage {
  cluster: string;
  namespace: string;
  repository: string;
  digest: string;
}

/** An image of this registry; null where there is none, or it is of another one. */
type Decided = { image: { repository: string; digest: string } | null };

/** As Kubernetes names them. A client that is no API server may send anything. */
export const NAMESPACE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Of pods alone: a workload that starts none runs nothing, and the pods of the others are asked
 * about.
 */
export function startedImages(
  { cluster }: Pick<AdmissionPath, 'cluster'>,
  { group, kind, namespace, isDryRun }: AdmissionRequest,
  decided: readonly Decided[],
): StartedImage[] {
  const starts = group === '' && kind === 'Pod' && !isDryRun && NAMESPACE_NAME.test(namespace);
  if (!starts) return [];
  return decided.flatMap(({ image }) =>
    image === null
      ? []
      : [{ cluster, namespace, repository: image.repository, digest: image.digest }],
  );
}
