/**
 * Layers of a transfer's image that its scan may do without: an earlier one has read them, and the job's source shows
 * that it has them. They stay there. Whether the scanner still remembers what it read is seen when it is asked.
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
  /** Null of a layer that no scan has read. */
  witnessOfLayer(digest: Digest): Promise<ChunkDigests | null>;
  /** Such a one costs no download. */
  isCached(blob: Descriptor): Promise<boolean>;
  concurrency: number;
  maxManifestBytes: number;
}

export type FindSkippableLayers = (image: Image) => Promise<ReadonlySet<Digest>>;

interface Image {
  manifests: Layout;
  source: Source;
  /** What a scan of the same digest said may be told again: nothing is to be shown. */
  skipProof: boolean;
  signal: AbortSignal;
}

export function skippableLayers(ports: SkippableLayersPorts): FindSkippableLayers {
  async function isSkippable(
    layer: Descriptor,
    { source, skipProof, signal }: Image,
  ): Promise<boolean> {
    const witness = await ports.witnessOfLayer(layer.digest);
    if (witness === null || skipProof) return witness !== null;
    // The part that shows a small one would be most of it.
    if (layer.size < 2 * PART_BYTES || (await ports.isCached(layer))) return false;
    return shows(layer, { source, witness, signal });
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
  witness: ChunkDigests;
  signal: AbortSignal;
}

/** A source that doesn't is asked for all of the layer, and says then what is wrong; one that is away, later. */
async function shows(layer: Descriptor, { source, witness, signal }: Showing): Promise<boolean> {
  try {
    const open = (part: FetchOptions) => source.fetch(layer, part);
    await assertPossessedByDigest(layer, { source: open, witness }, { signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error) || isTransient(error)) throw error;
    return false;
  }
}

/** A target as if it had these layers: a copy leaves them out. */
export function without(skipped: ReadonlySet<Digest>, target: Target): Target {
  const exists: Target['exists'] = async (descriptor, options) =>
    (skipped.has(descriptor.digest) && !isManifestType(descriptor.mediaType)) ||
    target.exists(descriptor, options);
  return { ...target, exists };
}
