/**
 * Layers of a transfer's image that its scan can do without: the scanner remembers them, and the job's source has shown
 * that it has them. They stay there; the push fetches those that its target has not.
 */
import { isAppError } from '@portcullis/errors';
import {
  assertShown,
  type Descriptor,
  type Digest,
  type FetchOptions,
  forEachAtMost,
  PART_BYTES,
  type Source,
  type Target,
  type Witness,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';
import { imagesIn } from './images-in.ts';

export interface SparedLayersPorts {
  /** Of a layer that the scanner remembers. */
  knownLayer(digest: Digest): Promise<Witness | null>;
  /** Such a one needs no download. */
  isCached(blob: Descriptor): Promise<boolean>;
  concurrency: number;
  maxManifestBytes: number;
}

export type SparedLayers = (image: Image) => Promise<ReadonlySet<Digest>>;

interface Image {
  manifests: Layout;
  source: Source;
  signal: AbortSignal;
}

export function sparedLayers(ports: SparedLayersPorts): SparedLayers {
  async function isSpared(layer: Descriptor, { source, signal }: Image): Promise<boolean> {
    // The part that shows a small one would be all of it.
    if (layer.size <= PART_BYTES || (await ports.isCached(layer))) return false;
    const witness = await ports.knownLayer(layer.digest);
    return witness !== null && shows(layer, { source, witness, signal });
  }

  return async (image) => {
    const images = await imagesIn(image.manifests, ports);
    const layers = new Map(images.flatMap((each) => each.layers.map((layer) => [layer.digest, layer])));
    const spared = new Set<Digest>();
    await forEachAtMost(ports.concurrency, layers.values(), async (layer) => {
      image.signal.throwIfAborted();
      if (await isSpared(layer, image)) spared.add(layer.digest);
    });
    return spared;
  };
}

interface Showing {
  source: Source;
  witness: Witness;
  signal: AbortSignal;
}

/** A source that doesn't is asked for all of the layer, and says then what is wrong. */
async function shows(layer: Descriptor, { source, witness, signal }: Showing): Promise<boolean> {
  try {
    const open = (part: FetchOptions) => source.fetch(layer, part);
    await assertShown(layer, { source: open, witness }, { signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error)) return false;
    throw error;
  }
}

/** A target that has these as if it had them: a copy leaves them out. */
export function without(spared: ReadonlySet<Digest>, target: Target): Target {
  const exists: Target['exists'] = async (descriptor, options) =>
    spared.has(descriptor.digest) || target.exists(descriptor, options);
  return { ...target, exists };
}
