/**
 * An image whose manifests are here and whose blobs are still at the source: what a push asks for comes through the
 * cache, blob by blob, written to disk once; what the target has, or can mount, is never downloaded.
 */
import { isAppError } from '@portcullis/errors';
import {
  assertPossessed,
  type Descriptor,
  type FetchOptions,
  isManifestType,
  type Source,
  type Target,
} from '@portcullis/oci';

export interface OnDemand {
  manifests: Source;
  /** Where blobs arrive: links to the cache. */
  blobs: Target;
  source: Source;
}

export function onDemand({ manifests, blobs, source }: OnDemand): Source {
  async function fetchBlob(blob: Descriptor, options: FetchOptions = {}) {
    const { signal } = options;
    const open = (part: FetchOptions) => source.fetch(blob, { ...part, signal });
    // Another job's download may be in the cache: the source must have the blob for this one, too.
    const confirm = (kept: typeof open) => assertPossessed(blob, { source: open, kept }, { signal });
    await blobs.push(blob, open, { signal, confirm });
    return blobs.fetch(blob, options);
  }

  return inTwoPlaces(manifests, fetchBlob);
}

/** An image with its manifests in one place and its blobs in another. */
export function inTwoPlaces(manifests: Source, fetchBlob: Source['fetch']): Source {
  return {
    resolve: (reference, options) => manifests.resolve(reference, options),
    referrers: async (digest, options) => (await manifests.referrers?.(digest, options)) ?? [],
    fetch: (descriptor, options) =>
      isManifestType(descriptor.mediaType)
        ? manifests.fetch(descriptor, options)
        : fetchBlob(descriptor, options),
  };
}

/** Whether all of an image is in a layout: what only began to arrive, or never did, isn't listed there. */
export async function holds(layout: Source, digest: string): Promise<boolean> {
  try {
    await layout.resolve(digest);
    return true;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return false;
    throw error;
  }
}
