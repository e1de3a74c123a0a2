/** Content that fits in memory: manifests and configs, not layers. */

import type { Descriptor } from '../model/descriptor.ts';
import { algorithmOf, type Digest } from '../model/digest.ts';
import type { Content, FetchOptions } from './content.ts';
import { digestMismatch, sizeMismatch, truncated } from './content-errors.ts';

const WEB_ALGORITHMS = { sha256: 'SHA-256', sha512: 'SHA-512' } as const;

export function contentOf(bytes: Uint8Array, { offset = 0, signal }: FetchOptions = {}): Content {
  return {
    offset,
    cancel: () => undefined,
    async *[Symbol.asyncIterator]() {
      signal?.throwIfAborted();
      if (offset < bytes.byteLength) yield bytes.subarray(offset);
    },
  };
}

/** Uses WebCrypto because this module also runs in browsers. */
export async function digestOf(
  bytes: Uint8Array,
  algorithm: keyof typeof WEB_ALGORITHMS = 'sha256',
): Promise<Digest> {
  const hash = await crypto.subtle.digest(WEB_ALGORITHMS[algorithm], new Uint8Array(bytes));
  const encoded = [...new Uint8Array(hash)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${algorithm}:${encoded}`;
}

/**
 * Reads and verifies all bytes. The caller has checked that `descriptor.size` fits in memory.
 * @throws invalid `DIGEST_MISMATCH`, `SIZE_MISMATCH`; unavailable `CONTENT_TRUNCATED`
 */
export async function readWhole(content: Content, descriptor: Descriptor): Promise<Uint8Array> {
  const bytes = await collect(content, descriptor);
  if ((await digestOf(bytes, algorithmOf(descriptor.digest))) === descriptor.digest) return bytes;
  throw digestMismatch(descriptor);
}

async function collect(content: Content, descriptor: Descriptor): Promise<Uint8Array> {
  // The list grows as bytes arrive: a remote `size` alone must not reserve memory.
  const chunks: Uint8Array[] = [];
  let seen = 0;
  for await (const chunk of content) {
    seen += chunk.byteLength;
    if (seen > descriptor.size) throw sizeMismatch(descriptor);
    // Not `slice`: on a Buffer it returns a view, and the source reuses that memory for the next
    // chunk.
    chunks.push(new Uint8Array(chunk));
  }
  if (seen < descriptor.size) throw truncated(descriptor, seen);
  return join(chunks, seen);
}

function join(chunks: Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
