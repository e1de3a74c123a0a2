/**
 * Whether an image's configuration names the layers that the image has. The scanner remembers a layer under the
 * `diff_id` that the configuration claims and never looks whether it is true: an image that claims the `diff_id` of a
 * common base layer for an empty one would make every later image on that base look clean, and one that claims too
 * few would hide a layer. A container engine refuses such an image too.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, invalid } from '@portcullis/errors';
import { algorithmOf, encodedOf } from '@portcullis/oci';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { layerFacts } from './layer-facts.ts';
import type { LayerFacts } from './layer-memory.ts';
import type { ScannableImage } from './select.ts';

export interface VerifiedLayers {
  /** From the scanner's name of a layer to the registry's. */
  digestOf: Map<string, string>;
  /** Some layer brings something of an operating system. */
  hasOs: boolean;
}

export interface VerifyContext {
  layoutDir: string;
  /** Where facts about layers are remembered. */
  memoryDir: string;
  signal: AbortSignal;
}

const MAX_CONFIG_BYTES = 8 * 1024 * 1024;
const Config = z.object({ rootfs: z.object({ diff_ids: z.array(z.string()).nullish() }) });

/** @throws invalid `SCAN_LAYOUT_INVALID`, `SCAN_LAYER_INVALID` */
export async function verifyLayers(image: ScannableImage, context: VerifyContext): Promise<VerifiedLayers> {
  const claimed = await readDiffIds(image, context.layoutDir);
  if (claimed.length !== image.layers.length) throw untrue();
  const digestOf = new Map<string, string>();
  let hasOs = false;
  for (const [position, { digest }] of image.layers.entries()) {
    const facts = await readLayer(digest, context);
    if (facts.diffId !== claimed[position]) throw untrue();
    digestOf.set(facts.diffId, digest);
    hasOs ||= facts.hasOs;
  }
  return { digestOf, hasOs };
}

async function readDiffIds({ config }: ScannableImage, layoutDir: string): Promise<string[]> {
  const path = join(layoutDir, 'blobs', algorithmOf(config.digest), encodedOf(config.digest));
  try {
    if ((await stat(path)).size > MAX_CONFIG_BYTES) throw new Error('the configuration is too large');
    return Config.parse(JSON.parse(await readFile(path, 'utf8'))).rootfs.diff_ids ?? [];
  } catch (cause) {
    throw invalid('SCAN_LAYOUT_INVALID', "the image's configuration can't be read", { cause });
  }
}

async function readLayer(
  digest: ScannableImage['digest'],
  { layoutDir, memoryDir, signal }: VerifyContext,
): Promise<LayerFacts> {
  try {
    return await layerFacts(layoutDir, digest, memoryDir, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (hasCode(cause, 'ENOENT')) {
      throw invalid('SCAN_LAYOUT_INVALID', 'the staged image is incomplete', { cause });
    }
    throw invalid('SCAN_LAYER_INVALID', 'a layer of the image could not be unpacked', { cause });
  }
}

function untrue(): AppError {
  return invalid('SCAN_LAYER_INVALID', "the image's configuration does not name the layers that it has");
}
