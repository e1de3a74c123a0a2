/**
 * Challenge–response proof of possession for blobs that we no longer store. We keep a SHA-256 per
 * 64 KiB chunk; the source must serve one randomly chosen chunk that matches.
 */

import type { Descriptor } from '../model/descriptor.ts';
import { invalid } from '../oci-error.ts';
import type { AbortOptions, Content, FetchOptions, OpenContent } from './content.ts';
import { digestMismatch } from './content-errors.ts';
import { bytesOf, PART_BYTES, randomBelow } from './possession.ts';

export interface ChunkDigests {
  /** Size of the blob in bytes. */
  size: number;
  /** The SHA-256 of each chunk, concatenated. The last chunk is 64 to 128 KiB long. */
  parts: Uint8Array;
}

const DIGEST_BYTES = 32;

/** Checks that size and number of digests agree. */
export function isChunkDigests({ size, parts }: ChunkDigests): boolean {
  return size > 0 && parts.byteLength === partsIn(size) * DIGEST_BYTES;
}

/**
 * Computes the digests. The caller has verified the bytes against the digest of the blob.
 * @param sha256 a faster one than that of the Web Crypto API, where the platform has it
 */
export async function chunkDigestsOf(
  blob: AsyncIterable<Uint8Array>,
  sha256: Sha256 = webSha256,
): Promise<ChunkDigests> {
  const digests: Uint8Array[] = [];
  let size = 0;
  for await (const part of inParts(blob)) {
    size += part.byteLength;
    digests.push(await sha256(part));
  }
  const parts = new Uint8Array(digests.length * DIGEST_BYTES);
  for (const [nth, digest] of digests.entries()) parts.set(digest, nth * DIGEST_BYTES);
  return { size, parts };
}

/**
 * A source without range support is refused: reading up to the chunk could mean downloading the
 * whole blob.
 * @throws invalid `DIGEST_MISMATCH`, `RANGE_IGNORED`; what the source throws, as not_found
 */
export async function assertPossessedByDigest(
  blob: Descriptor,
  { source, chunkDigests }: { source: OpenContent; chunkDigests: ChunkDigests },
  { signal }: AbortOptions,
): Promise<void> {
  if (blob.size !== chunkDigests.size) throw digestMismatch(blob);
  const nth = randomBelow(partsIn(blob.size));
  const part = partOf(blob, nth);
  const shown = await webSha256(await bytesOf(await partOnly(source, { ...part, signal }), part));
  const wanted = chunkDigests.parts.subarray(nth * DIGEST_BYTES, (nth + 1) * DIGEST_BYTES);
  if (!shown.every((byte, at) => byte === wanted[at])) throw digestMismatch(blob);
}

function partsIn(size: number): number {
  return Math.max(1, Math.floor(size / PART_BYTES));
}

function partOf({ size }: Descriptor, nth: number): { offset: number; length: number } {
  const offset = nth * PART_BYTES;
  return { offset, length: nth === partsIn(size) - 1 ? size - offset : PART_BYTES };
}

async function partOnly(source: OpenContent, part: FetchOptions): Promise<Content> {
  const content = await source(part);
  if (content.offset === part.offset) return content;
  content.cancel();
  throw invalid('RANGE_IGNORED', 'the source does not support range requests', { side: 'source' });
}

async function* inParts(blob: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const held = new Uint8Array(2 * PART_BYTES);
  let filled = 0;
  for await (const chunk of blob) {
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + held.byteLength - filled);
      held.set(piece, filled);
      filled += piece.byteLength;
      at += piece.byteLength;
      if (filled < held.byteLength) continue;
      yield held.subarray(0, PART_BYTES);
      held.copyWithin(0, PART_BYTES);
      filled = PART_BYTES;
    }
  }
  if (filled > 0) yield held.subarray(0, filled);
}

type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>;

async function webSha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
