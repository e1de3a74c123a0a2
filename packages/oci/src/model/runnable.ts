/**
 * Decides whether a container engine could run a manifest as an image. Signatures, SBOMs and
 * attestations often use an image config, but their layers are text where an image has archives. A
 * layer that is declared as one of an image, or that an engine may unpack by its annotations, makes
 * an image whatever its bytes are; otherwise the bytes decide, because a media type may lie. podman
 * and containerd do not run manifests with another kind of config, whatever their layers contain,
 * but for WebAssembly.
 */

import { readWhole } from '../copy/buffered.ts';
import type { Content, Fetcher } from '../copy/content.ts';
import { contentWithErrorSide, withErrorSide } from '../copy/error-side.ts';
import { HEAD_BYTES, holdsImageConfig, sniffContent } from './blob-content.ts';
import type { Descriptor } from './descriptor.ts';
import type { Manifest } from './manifest.ts';
import { isImageConfigType } from './media-type.ts';

/** More in all layers counts as an archive without being read. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/**
 * Reads and verifies whole blobs, because a source could answer a range request with other bytes.
 */
export async function isRunnable(
  { config, layers }: Pick<Manifest, 'config' | 'layers'>,
  source: Fetcher,
  signal: AbortSignal,
): Promise<boolean> {
  if ([config, ...layers].some(({ mediaType }) => PROGRAM.test(mediaType))) return true;
  if (!(await isImageConfig(config, source, signal))) return false;
  if (layers.some((layer) => LAYER.test(layer.mediaType) || isUnpackedByAnnotation(layer)))
    return true;
  const distinct = [...new Map(layers.map((layer) => [layer.digest, layer])).values()];
  const size = distinct.reduce((sum, layer) => sum + layer.size, 0);
  if (size > MAX_DOCUMENT_BYTES) return true;
  for (const layer of distinct) if (!(await isDocument(layer, source, signal))) return true;
  return false;
}

/** WebAssembly modules, which containerd's runwasi runs whatever the config is. */
const PROGRAM = /^application\/(?:wasm|vnd\.wasm\.|vnd\.module\.wasm\.)/i;

/** Layers of the image specification, and Docker's. */
const LAYER = /^application\/vnd\.(?:oci\.image\.layer\.|docker\.image\.rootfs\.)/i;

/**
 * Lazy-pulling engines make the files of a layer from a table that its annotations name:
 * zstd:chunked, eStargz, nydus, overlaybd, SOCI.
 */
const UNPACKED =
  /^(?:containerd\.io\/snapshot\/|io\.(?:github\.)?containers\.|com\.amazon\.soci\.)/;

function isUnpackedByAnnotation({ annotations = {} }: Descriptor): boolean {
  return Object.keys(annotations).some((key) => UNPACKED.test(key));
}

async function isImageConfig(
  config: Descriptor,
  source: Fetcher,
  signal: AbortSignal,
): Promise<boolean> {
  if (isImageConfigType(config.mediaType) || config.size > MAX_DOCUMENT_BYTES) return true;
  return holdsImageConfig(await readWhole(await open(config, source, signal), config));
}

const DOCUMENTS = new Set(['json', 'text', 'empty']);

async function isDocument(
  layer: Descriptor,
  source: Fetcher,
  signal: AbortSignal,
): Promise<boolean> {
  const bytes = await readWhole(await open(layer, source, signal), layer);
  return DOCUMENTS.has(sniffContent(bytes.subarray(0, HEAD_BYTES)));
}

function open(blob: Descriptor, source: Fetcher, signal: AbortSignal): Promise<Content> {
  return withErrorSide('source', async () =>
    contentWithErrorSide('source', await source.fetch(blob, { signal }), signal),
  );
}
