/**
 * Whether a container engine could run what a manifest describes. Signatures, SBOMs and attestations often borrow an
 * image's configuration, and what they call their layers is text; an image has an archive there. So the layers' bytes
 * decide, never their media types. Manifests with another configuration are no images to podman and containerd, whatever
 * their layers hold.
 */

import { readWhole } from '../copy/buffered.ts';
import type { Content, Fetcher } from '../copy/content.ts';
import { contentWithErrorSide, withErrorSide } from '../copy/error-side.ts';
import { HEAD_BYTES, holdsImageConfig, sniffContent } from './blob-content.ts';
import type { Descriptor } from './descriptor.ts';
import type { Manifest } from './manifest.ts';
import { isImageConfigType } from './media-type.ts';

/** More is taken for an archive without being read. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** The bytes are read whole and verified: a source could show others to a request for the first of them. */
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
