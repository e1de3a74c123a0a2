/**
 * Verifies that an image's configuration names exactly the layers that the image has. Trivy caches
 * the analysis of a layer under the `diff_id` that a configuration claims and never compares the
 * two: an image that claims the `diff_id` of a common base layer for an empty one would make every
 * later image on that base look clean, and one that claims too few would hide a layer. Not every
 * container engine refuses such an image (podman 4.3 runs it).
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, invalid, isAppError, tooLarge, unavailable } from '@portcullis/errors';
import { algorithmOf, type Descriptor, type Digest, encodedOf } from '@portcullis/oci';
import {
  applyLayers,
  type LayerDatabases,
  type PackageDatabase,
} from '../judging/package-databases.ts';
import type { ScannableImage } from '../scan/select.ts';
import { applyFiles, type ImageFiles } from '../unread/surviving-files.ts';
import { type ImageConfig, MAX_CONFIG_BYTES, parseImageConfig } from './image-config.ts';
import { type LayerContext, type LayerReading, packedSize, readLayer } from './layer-facts.ts';
import { incomplete } from './layer-fault.ts';
import { tocAnnotations } from './toc/annotations.ts';
import { type UnpackBudget, unpackBudget } from './unpack-budget.ts';

/** An image described by its verified bytes: Trivy's input is written from this alone. */
export interface VerifiedImage {
  architecture: string;
  os: string;
  variant: string;
  /** From the base layer up. */
  layers: VerifiedLayer[];
  /** Some layer contains files of an operating system. */
  hasOs: boolean;
  /** The package databases that remain after all layers are applied. */
  databases: PackageDatabase[];
  /** The files that tell of packages, and remain after all layers are applied. */
  files: ImageFiles;
  /** Layers for which an engine might create other files than those that Trivy reads. */
  unverified: Digest[];
  /** The layers of the base image, by their digests in the manifest; empty where it is unknown. */
  baseLayers: Digest[];
  /** Caches what was read of all layers, by and by. @throws as `LayerReading.keep` */
  keep(): Promise<unknown>;
}

export interface VerifiedLayer {
  /** The layer's digest in the image's manifest. */
  name: Digest;
  diffId: string;
  /** SHA-256 of the compressed layer: the only algorithm that Trivy reads. */
  sha256: Digest;
  size: number;
}

export interface VerifyContext extends LayerContext {
  signal: AbortSignal;
  /** Bound on all layers together. */
  maxUnpackedBytes: number;
}

/**
 * @throws invalid `SCAN_LAYOUT_INVALID`, `SCAN_CONFIG_INVALID`, `SCAN_LAYER_INVALID`; too_large
 * `SCAN_TOO_LARGE`
 */
export async function verifyLayers(
  image: ScannableImage,
  context: VerifyContext,
): Promise<VerifiedImage> {
  const { diffIds, baseLayers: count, ...platform } = await readConfig(image, context.layoutDir);
  if (diffIds.length !== image.layers.length) throw untrue();
  const sizes = await sizesOf(image, context);
  const packedBytes = sizes.reduce((sum, size) => sum + size, 0);
  const budget = unpackBudget(packedBytes, context.maxUnpackedBytes);
  const layers: VerifiedLayer[] = [];
  const found: LayerDatabases[] = [];
  const files = applyFiles();
  const unverified: Digest[] = [];
  let hasOs = false;
  /** Each layer once: an image may have one a thousand times. */
  const readings = new Map<Digest, LayerReading>();
  for (const [position, descriptor] of image.layers.entries()) {
    const { digest: name } = descriptor;
    const expected = diffIds[position] ?? '';
    const facts = await readOne(descriptor, expected, { ...context, budget });
    readings.set(name, facts);
    const { diffId, unpacked } = facts;
    budget.bytes -= unpacked;
    if (diffId !== expected) throw untrue();
    const sha256 = algorithmOf(name) === 'sha256' ? name : (await facts.keep('now')).sha256;
    layers.push({ name, diffId, sha256, size: sizes[position] ?? 0 });
    if (facts.table === 'unverified') unverified.push(name);
    hasOs ||= facts.hasOs;
    found.push({ databases: facts.databases, removed: facts.removed });
    await files.apply(facts.files, { diffId, name });
  }
  const baseLayers = layers.slice(0, count).map(({ name }) => name);
  return {
    ...platform,
    layers,
    hasOs,
    databases: applyLayers(found),
    files: files.found(),
    unverified,
    baseLayers,
    keep: () => Promise.all([...readings.values()].map((each) => each.keep('later'))),
  };
}

/** Maps Trivy's digest of a layer to the one in the image's manifest. */
export function layerNames({ layers }: Pick<VerifiedImage, 'layers'>): Map<string, string> {
  return new Map(layers.map(({ diffId, name }) => [diffId, name]));
}

/**
 * Checks that Trivy reported on the layers that were verified. @throws unavailable
 * `SCAN_LAYERS_MISMATCH`
 */
export function assertSameLayers(
  reported: readonly string[],
  { layers }: Pick<VerifiedImage, 'layers'>,
): void {
  if (
    reported.length === layers.length &&
    layers.every(({ diffId }, at) => diffId === reported[at])
  )
    return;
  throw unavailable(
    'SCAN_LAYERS_MISMATCH',
    'the scanner reported on other layers than those of the image',
  );
}

async function readConfig({ config }: ScannableImage, layoutDir: string): Promise<ImageConfig> {
  const path = join(layoutDir, 'blobs', algorithmOf(config.digest), encodedOf(config.digest));
  try {
    if ((await stat(path)).size > MAX_CONFIG_BYTES)
      throw invalid('SCAN_CONFIG_INVALID', "the image's configuration is too large");
    return await parseImageConfig(await readFile(path));
  } catch (cause) {
    throw isAppError(cause) ? cause : incomplete(cause);
  }
}

/** Bytes of each layer as it is packed. */
function sizesOf({ layers }: ScannableImage, context: VerifyContext): Promise<number[]> {
  return Promise.all(layers.map(({ digest }) => packedSize(digest, context)));
}

async function readOne(
  { digest, annotations }: Descriptor,
  diffId: string,
  { budget, ...context }: VerifyContext & { budget: UnpackBudget },
): Promise<LayerReading> {
  const limits = { signal: context.signal, maxUnpacked: budget.bytes };
  const layer = { digest, diffId, annotations: tocAnnotations(annotations) };
  try {
    return await readLayer(layer, context, limits);
  } catch (cause) {
    if (isAppError(cause) && cause.kind === 'too_large')
      throw tooLarge('SCAN_TOO_LARGE', budget.refusal, { cause });
    throw cause;
  }
}

function untrue(): AppError {
  return invalid(
    'SCAN_LAYER_INVALID',
    "the image's configuration does not name the layers that it has",
  );
}
