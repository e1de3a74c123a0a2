/**
 * By what somebody shows that he has a blob whose bytes are here no more: the digests of its parts, taken when they
 * were. He is asked for one part that he can't foresee.
 */
import type { Deadline } from './content.ts';
import type { Descriptor } from './descriptor.ts';
import { digestMismatch } from './mismatch.ts';
import { bytesOf, type Open, randomBelow } from './possession.ts';

export interface Witness {
  /** Of the blob, in bytes. */
  size: number;
  /** The SHA-256 of each part, one after the other. */
  parts: Uint8Array;
}

/** What shows a blob of this size or less is all of it. */
export const PART_BYTES = 64 * 1024;
const DIGEST_BYTES = 32;

/** Of bytes that are known to be the blob's. */
export async function witnessOf(blob: AsyncIterable<Uint8Array>): Promise<Witness> {
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

/** @throws invalid `DIGEST_MISMATCH`; what the source throws, as not_found */
export async function assertShown(
  blob: Descriptor,
  { source, witness }: { source: Open; witness: Witness },
  { signal }: Deadline,
): Promise<void> {
  if (blob.size !== witness.size) throw digestMismatch(blob);
  const nth = randomBelow(witness.parts.byteLength / DIGEST_BYTES);
  const offset = nth * PART_BYTES;
  const part = { offset, length: Math.min(PART_BYTES, blob.size - offset) };
  const shown = await sha256(await bytesOf(await source({ ...part, signal }), part));
  const wanted = witness.parts.subarray(nth * DIGEST_BYTES, (nth + 1) * DIGEST_BYTES);
  if (!shown.every((byte, at) => byte === wanted[at])) throw digestMismatch(blob);
}

async function* inParts(blob: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of blob) {
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      at += piece.byteLength;
      if (filled < PART_BYTES) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
