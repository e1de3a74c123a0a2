/**
 * Whether a source has a blob whose bytes are here already. Its word is not enough: whoever knows the digest and the
 * size of another account's blob can name it in a manifest, and have a registry of his own nod. It shows a part that it
 * can't foresee.
 */

import type { Descriptor } from '../model/descriptor.ts';
import type { AbortOptions, Content, FetchOptions } from './content.ts';
import { digestMismatch } from './content-errors.ts';

/** Of what is larger, so much is shown at least. */
export const PART_BYTES = 64 * 1024;

export type Open = (options: FetchOptions) => Promise<Content>;
interface Part {
  offset: number;
  length: number;
}

/**
 * A source that knows no ranges is read from its first byte up to the end of the part.
 * @throws invalid `DIGEST_MISMATCH`; what the source throws, as not_found
 */
export async function assertPossessed(
  blob: Descriptor,
  { source, kept }: { source: Open; kept: Open },
  { signal }: AbortOptions,
): Promise<void> {
  const part = partOf(blob);
  // Opened first: what is pruned from here on can still be read.
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

/** Shorter where the content ended before the part did. */
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
    // What ends by itself leaves its connection to the next request.
    if (at > length) break;
  }
  return bytes.subarray(0, Math.max(at, 0));
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && one.every((byte, at) => byte === other[at]);
}
