/**
 * The manifests of an image that is neither scanned nor kept here, from its pull to the push that follows at once. What
 * is lost with this process, or pushed by another one, is asked of the source again, by digest.
 */
import type { Source, Target } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';

export interface ManifestHandover {
  /** Where a pull puts them. */
  give(jobId: string): Target;
  take(jobId: string): Source | undefined;
}

/** More than a worker has jobs at once: what nobody took is forgotten. */
const MAX_HELD = 200;

export function createManifestHandover(): ManifestHandover {
  const held = new Map<string, Source>();
  return {
    give(jobId) {
      const manifests = createMemoryStore();
      held.set(jobId, manifests);
      const [oldest] = held.keys();
      if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest);
      return manifests;
    },
    take(jobId) {
      const manifests = held.get(jobId);
      held.delete(jobId);
      return manifests;
    },
  };
}
