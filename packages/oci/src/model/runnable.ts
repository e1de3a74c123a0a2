/**
 * Decides whether a container engine could run a manifest as an image. Signatures, SBOMs and
 * attestations often use an image config, but their layers are text where an image has archives. A
 * layer that is declared as one of an image, or that an engine may unpack by its annotations, makes
 * an image whatever its bytes are; otherwise the bytes decide, because a media type may lie. podman
 * and containerd do not run manifests with another kind of config, whatever their layers contain,
 * but for WebAssembly.
 */

import { contentOf, readWhole } from '../copy/buffered.ts';
import type { Fetcher } from '../copy/content.ts';
import { contentWithErrorSide, withErrorSide } from '../copy/error-side.ts';
import { HEAD_BYTES, holdsImageConfig, sniffContent } from './blob-content.ts';
import type { Descriptor } from './descriptor.ts';
import type { Manifest } from './manifest.ts';
import { isImageConfigType } from './media-type.ts';

/** More in all layers counts as an archive without being read. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** What is known of blobs by a key with their digest: what a blob holds never changes. */
interface BlobFacts {
  get(key: string): boolean | undefined;
  set(key: string, fact: boolean): unknown;
}

export interface BlobReading {
  signal: AbortSignal;
  facts?: BlobFacts | undefined;
  /** Called before a blob is read. It may throw, which ends the question. */
  spend?: ((bytes: number) => void) | undefined;
}

/**
 * Reads and verifies whole blobs, because a source could answer a range request with other bytes.
 * One is in memory at a time.
 */
export async function isRunnable(
  { config, layers }: Pick<Manifest, 'config' | 'layers'>,
  source: Fetcher,
  reading: BlobReading,
): Promise<boolean> {
  if ([config, ...layers].some(({ mediaType }) => PROGRAM.test(mediaType))) return true;
  if (!(await isImageConfig(config, source, reading))) return false;
  if (layers.some((layer) => LAYER.test(layer.mediaType) || isUnpackedByAnnotation(layer)))
    return true;
  const distinct = [...new Map(layers.map((layer) => [layer.digest, layer])).values()];
  const size = distinct.reduce((sum, layer) => sum + layer.size, 0);
  if (size > MAX_DOCUMENT_BYTES) return true;
  for (const layer of distinct) if (!(await isDocument(layer, source, reading))) return true;
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
  reading: BlobReading,
): Promise<boolean> {
  if (isImageConfigType(config.mediaType) || config.size > MAX_DOCUMENT_BYTES) return true;
  return fact(`config ${config.digest}`, config, reading, async () =>
    holdsImageConfig(contentOf(await read(config, source, reading))),
  );
}

const DOCUMENTS = new Set(['json', 'text', 'empty']);

async function isDocument(
  layer: Descriptor,
  source: Fetcher,
  reading: BlobReading,
): Promise<boolean> {
  return fact(`document ${layer.digest}`, layer, reading, async () =>
    DOCUMENTS.has(sniffContent((await read(layer, source, reading)).subarray(0, HEAD_BYTES))),
  );
}

async function fact(
  key: string,
  { size }: Descriptor,
  { facts, spend }: BlobReading,
  look: () => Promise<boolean>,
): Promise<boolean> {
  const known = facts?.get(key);
  if (known !== undefined) return known;
  spend?.(size);
  const found = await look();
  facts?.set(key, found);
  return found;
}

async function read(
  blob: Descriptor,
  source: Fetcher,
  { signal }: BlobReading,
): Promise<Uint8Array> {
  return withErrorSide('source', async () => {
    const content = contentWithErrorSide('source', await source.fetch(blob, { signal }), signal);
    return readWhole(content, blob);
  });
}
