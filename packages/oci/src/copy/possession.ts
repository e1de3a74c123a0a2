/**
 * Challenge–response proof of possession: checks that a source can serve a blob that we already
 * store. The existence check is not enough, because any account that knows a digest and size can
 * name the blob in a manifest of a registry it controls. The source must serve a randomly chosen
 * range that matches our bytes.
 */

import type { Descriptor } from '../model/descriptor.ts';
import type { AbortOptions, Content, OpenContent } from './content.ts';
import { digestMismatch } from './content-errors.ts';

/** Length of the requested range; smaller blobs are requested whole. */
export const PART_BYTES = 64 * 1024;

interface Part {
  offset: number;
  length: number;
}

/**
 * A source without range support is read from the first byte to the end of the range.
 * @throws invalid `DIGEST_MISMATCH`; what the source throws, as not_found
 */
export async function assertPossessed(
  blob: Descriptor,
  { source, kept }: { source: OpenContent; kept: OpenContent },
  { signal }: AbortOptions,
): Promise<void> {
  const part = partOf(blob);
  // Open our copy first: it stays readable even if the blob is pruned meanwhile.
  const here = await kept({ ...part, signal });
  try {
    const there = await bytesOf(await source({ ...part, signal }), part);
    if (!same(there, await bytesOf(here, part))) throw digestMismatch(blob);
  } finally {
    here.cancel();
  }
}

function partOf({ size }: Descriptor): Part {
  const length = Math.min(size, PART_BYTES);
  return { offset: randomBelow(size - length + 1), length };
}

export function randomBelow(count: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return Math.floor((random / 2 ** 32) * count);
}

/** The bytes of the range; fewer if the content ends earlier. */
export async function bytesOf(
  content: Content,
  { offset, length }: Part,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let at = content.offset - offset;
  for await (const chunk of content) {
    const fresh = chunk.subarray(Math.max(-at, 0)).subarray(0, length - Math.max(at, 0));
    bytes.set(fresh, Math.max(at, 0));
    at += chunk.byteLength;
    // Reading to the end of the content allows its connection to be reused.
    if (at > length) break;
  }
  return bytes.subarray(0, Math.max(at, 0));
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && one.every((byte, at) => byte === other[at]);
}
