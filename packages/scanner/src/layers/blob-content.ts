/**
 * Detects what a blob of a layout contains, from its first bytes and, where it is compressed, from
 * the first bytes inside.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import {
  algorithmOf,
  type BlobContent,
  type Digest,
  encodedOf,
  HEAD_BYTES,
  sniffContent,
} from '@portcullis/oci';
import { zstdFrames } from './zstd-frames.ts';

/** @throws the file system's error, as ENOENT */
export async function blobContent(layoutDir: string, digest: Digest): Promise<BlobContent> {
  const path = join(layoutDir, 'blobs', algorithmOf(digest), encodedOf(digest));
  const head = await headOf(path);
  const content = sniffContent(head);
  if (content !== 'packed') return content;
  const within = await unpackedHead(path, head);
  // An engine may unpack what we cannot (xz, bzip2): it may be an archive.
  if (within === null) return 'packed';
  return sniffContent(within) === 'archive' ? 'archive' : 'data';
}

async function headOf(path: string): Promise<Uint8Array> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** Null where it is compressed in another format, or damaged. */
async function unpackedHead(path: string, head: Uint8Array): Promise<Uint8Array | null> {
  await using file = await open(path);
  const bytes = file.createReadStream({ autoClose: false });
  const isGzip = head[0] === 0x1f;
  const unpacked = isGzip
    ? pipeline(bytes, createGunzip(), ignore)
    : pipeline(zstdFrames(bytes), createZstdDecompress(), ignore);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of unpacked) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= HEAD_BYTES) break;
    }
    return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
  } catch {
    return null;
  }
}

/** The reader at the end of the pipeline gets the error. */
function ignore(): void {}
