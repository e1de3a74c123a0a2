/**
 * An image whose manifests are here and whose blobs are still at the source: what the target has, or can mount, is never
 * downloaded. What a push asks for goes straight through the first time; what is asked for again (a target that doesn't
 * mount, an upload that broke off) comes through the cache, written to disk once.
 */
import { isAppError } from '@portcullis/errors';
import {
  type AbortOptions,
  assertPossessed,
  type Descriptor,
  type FetchOptions,
  isManifestType,
  type Source,
  type Target,
} from '@portcullis/oci';
import { verified } from '@portcullis/oci/verified';

export interface LazySourceParts {
  manifests: Source;
  /** Where blobs arrive: links to the cache. */
  blobs: Target;
  source: Source;
  /** Whether the blob isn't in the cache, and is asked for for the first time. */
  straight(blob: Descriptor): Promise<boolean>;
}

export function lazySource({ manifests, blobs, source, straight }: LazySourceParts): Source {
  return splitSource(manifests, {
    async fetch(blob, options = {}) {
      const { signal, offset = 0 } = options;
      if (await blobs.exists(blob)) return blobs.fetch(blob, options);
      if (offset === 0 && (await straight(blob)))
        return verified(await source.fetch(blob, { signal }), blob);
      await bring(blob, { source, to: blobs }, options);
      return blobs.fetch(blob, options);
    },
  });
}

/** Another job's download may be in the cache: the source must have the blob for this one, too. */
async function bring(
  blob: Descriptor,
  { source, to }: { source: Source; to: Target },
  { signal }: AbortOptions,
): Promise<void> {
  const open = (part: FetchOptions) => source.fetch(blob, { ...part, signal });
  const confirm = (kept: typeof open) => assertPossessed(blob, { source: open, kept }, { signal });
  await to.push(blob, open, { signal, confirm });
}

/** An image with its manifests in one place and its blobs in another. */
export function splitSource(manifests: Source, blobs: Pick<Source, 'fetch'>): Source {
  return {
    resolve: (reference, options) => manifests.resolve(reference, options),
    referrers: async (digest, options) => (await manifests.referrers?.(digest, options)) ?? [],
    fetch: (descriptor, options) =>
      isManifestType(descriptor.mediaType)
        ? manifests.fetch(descriptor, options)
        : blobs.fetch(descriptor, options),
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
