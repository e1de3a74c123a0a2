/** Reads the manifest of a request into memory, with a size limit, and refuses ambiguous JSON. */
import type { IncomingMessage } from 'node:http';
import { invalid, tooLarge } from '@portcullis/errors';
import {
  type Digest,
  type Index,
  MAX_MANIFEST_BYTES,
  type Manifest,
  parseManifest,
} from '@portcullis/oci';

export interface ManifestBody {
  bytes: Buffer;
  manifest: Manifest | Index;
  /** The digest of what the client sent, where less of it is stored. */
  sent?: Digest;
}

const PRINTABLE = /^[\x21-\x7e]{1,255}$/;

/**
 * @param received runs before the expensive parsing
 * @throws too_large; invalid as in `parseManifest`; errors of `received`
 */
export async function readManifestBody(
  request: IncomingMessage,
  received: (bytes: number) => Promise<void>,
): Promise<ManifestBody> {
  const bytes = await readBounded(request);
  await received(bytes.length);
  const manifest = await parseManifest(bytes, request.headers['content-type'] ?? '');
  const { artifactType } = manifest;
  if (artifactType && !PRINTABLE.test(artifactType))
    throw invalid('MANIFEST_INVALID', 'artifactType is not a media type');
  return { bytes, manifest };
}

async function readBounded(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_MANIFEST_BYTES) throw manifestTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_MANIFEST_BYTES) throw manifestTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function manifestTooLarge(): Error {
  return tooLarge('SIZE_INVALID', `a manifest has ${MAX_MANIFEST_BYTES} bytes at most`);
}
