/**
 * Decides whether a container engine could run a manifest as an image. Signatures, SBOMs and
 * attestations often use an image config, but their layers are text where an image has archives.
 * The layers' bytes decide, not their media types. podman and containerd do not run manifests with
 * another kind of config, whatever their layers contain.
 */

import { readWhole } from '../copy/buffered.ts';
import type { Content, Fetcher } from '../copy/content.ts';
import { contentWithErrorSide, withErrorSide } from '../copy/error-side.ts';
import { HEAD_BYTES, holdsImageConfig, sniffContent } from './blob-content.ts';
import type { Descriptor } from './descriptor.ts';
import type { Manifest } from './manifest.ts';
import { isImageConfigType } from './media-type.ts';

/** A larger layer counts as an archive without being read. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/**
 * Reads and verifies whole blobs, because a source could answer a range request with other bytes.
 */
export async function isRunnable(
  { config, layers }: Pick<Manifest, 'config' | 'layers'>,
  source: Fetcher,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await isImageConfig(config, source, signal))) return false;
  for (const layer of layers) if (!(await isDocument(layer, source, signal))) return true;
  return false;
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
  if (layer.size > MAX_DOCUMENT_BYTES) return false;
  const bytes = await readWhole(await open(layer, source, signal), layer);
  return DOCUMENTS.has(sniffContent(bytes.subarray(0, HEAD_BYTES)));
}

function open(blob: Descriptor, source: Fetcher, signal: AbortSignal): Promise<Content> {
  return withErrorSide('source', async () =>
    contentWithErrorSide('source', await source.fetch(blob, { signal }), signal),
  );
}
