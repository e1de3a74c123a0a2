/**
 * Layers that the scan of a transfer can skip: they were scanned before, and the job's source
 * proves that it has them. They are not downloaded. Whether Trivy still has its analysis of them
 * shows in the scan itself.
 */
import { isAppError, isTransient } from '@portcullis/errors';
import {
  assertPossessedByDigest,
  type ChunkDigests,
  type Descriptor,
  type Digest,
  type FetchOptions,
  forEachAtMost,
  isManifestType,
  PART_BYTES,
  type Source,
  type Target,
  withErrorSide,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';
import { imagesIn } from '../stages/scan/images-in.ts';

export interface SkippableLayersPorts {
  /** The stored chunk digests of a scanned layer; null for a layer that was never scanned. */
  chunkDigestsOfLayer(digest: Digest): Promise<ChunkDigests | null>;
  /** A cached blob costs no download. */
  isCached(blob: Descriptor): Promise<boolean>;
  concurrency: number;
  maxManifestBytes: number;
}

export type FindSkippableLayers = (image: Image) => Promise<ReadonlySet<Digest>>;

interface Image {
  manifests: Layout;
  source: Source;
  /** The report of this digest is already known, so no proof of possession is needed. */
  skipProof: boolean;
  signal: AbortSignal;
}

export function skippableLayers(ports: SkippableLayersPorts): FindSkippableLayers {
  async function isSkippable(
    layer: Descriptor,
    { source, skipProof, signal }: Image,
  ): Promise<boolean> {
    const chunkDigests = await ports.chunkDigestsOfLayer(layer.digest);
    if (chunkDigests === null || skipProof) return chunkDigests !== null;
    // One chunk would be most of a small layer.
    if (layer.size < 2 * PART_BYTES || (await ports.isCached(layer))) return false;
    return shows(layer, { source, chunkDigests, signal });
  }

  return async (image) => {
    const images = await imagesIn(image.manifests, ports);
    const layers = new Map(
      images.flatMap((each) => each.layers.map((layer) => [layer.digest, layer])),
    );
    const skipped = new Set<Digest>();
    await forEachAtMost(ports.concurrency, layers.values(), async (layer) => {
      image.signal.throwIfAborted();
      if (await withErrorSide('source', () => isSkippable(layer, image))) skipped.add(layer.digest);
    });
    return skipped;
  };
}

interface Showing {
  source: Source;
  chunkDigests: ChunkDigests;
  signal: AbortSignal;
}

/**
 * Where the proof fails, the layer is downloaded, and the download reports what is wrong. A source
 * that can't be reached fails the stage, which is retried.
 */
async function shows(
  layer: Descriptor,
  { source, chunkDigests, signal }: Showing,
): Promise<boolean> {
  try {
    const open = (part: FetchOptions) => source.fetch(layer, part);
    await assertPossessedByDigest(layer, { source: open, chunkDigests }, { signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error) || isTransient(error)) throw error;
    return false;
  }
}

/** A target that claims to have these layers, so that a copy skips them. */
export function omitting(skipped: ReadonlySet<Digest>, target: Target): Target {
  const exists: Target['exists'] = async (descriptor, options) =>
    (skipped.has(descriptor.digest) && !isManifestType(descriptor.mediaType)) ||
    target.exists(descriptor, options);
  return { ...target, exists };
}
