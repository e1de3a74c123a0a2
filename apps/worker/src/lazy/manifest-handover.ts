/**
 * Passes manifests in memory from a pull to the push that follows in the same worker, for images
 * that are neither scanned nor stored here. Where this process ends first, or another worker
 * pushes, the manifests are read from the source again, by digest.
 */
import type { Source, Target } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';

export interface ManifestHandover {
  /** The target that the pull writes to. */
  give(jobId: string): Target;
  take(jobId: string): Source | undefined;
}

/** More than a worker runs jobs at once; the oldest is dropped. */
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
