/**
 * A source that reads manifests from this disk and blobs from the remote source, when the copy asks
 * for them. Blobs that the target has or can mount are never downloaded. The first read of a blob
 * is streamed; a second read (a target that doesn't mount, an upload that broke off) goes through
 * the blob cache, so that the source serves it once.
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
import { verifyContent } from '@portcullis/oci/verified';

export interface LazySourceParts {
  manifests: Source;
  /** The layout that downloaded blobs are linked into. */
  blobs: Target;
  source: Source;
  /** Whether the blob is not in the cache and is read for the first time. */
  isFirstRead(blob: Descriptor): Promise<boolean>;
}

export function lazySource({ manifests, blobs, source, isFirstRead }: LazySourceParts): Source {
  return splitSource(manifests, {
    async fetch(blob, options = {}) {
      const { signal, offset = 0 } = options;
      if (await blobs.exists(blob)) return blobs.fetch(blob, options);
      if (offset === 0 && (await isFirstRead(blob)))
        return verifyContent(await source.fetch(blob, { signal }), blob);
      await downloadToCache(blob, { source, to: blobs }, options);
      return blobs.fetch(blob, options);
    },
  });
}

/** The cache may have the blob from another job, so the source has to prove that it has it, too. */
async function downloadToCache(
  blob: Descriptor,
  { source, to }: { source: Source; to: Target },
  { signal }: AbortOptions,
): Promise<void> {
  const open = (part: FetchOptions) => source.fetch(blob, { ...part, signal });
  const confirm = (kept: typeof open) => assertPossessed(blob, { source: open, kept }, { signal });
  await to.push(blob, open, { signal, confirm, move: source.mover?.(blob) });
}

/** One image with its manifests from one source and its blobs from another. */
export function splitSource(manifests: Source, blobs: Pick<Source, 'fetch' | 'mover'>): Source {
  return {
    resolve: (reference, options) => manifests.resolve(reference, options),
    referrers: async (digest, options) => (await manifests.referrers?.(digest, options)) ?? [],
    fetch: (descriptor, options) =>
      isManifestType(descriptor.mediaType)
        ? manifests.fetch(descriptor, options)
        : blobs.fetch(descriptor, options),
    mover: (descriptor) => blobs.mover?.(descriptor),
  };
}

/** Whether a layout lists the digest. An incomplete image is not listed. */
export async function holds(layout: Source, digest: string): Promise<boolean> {
  try {
    await layout.resolve(digest);
    return true;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return false;
    throw error;
  }
}
