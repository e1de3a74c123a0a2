/** Content for the tests of this package. */
import { createHash, randomBytes } from 'node:crypto';
import { blobOf, type TestBlob, type TestImage } from '@portcullis/testing';
import type { MemoryStore } from '../memory/memory.ts';
import { createMemoryStore } from '../memory/memory.ts';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { OCTET_STREAM } from '../model/media-type.ts';
import type { Content, FetchOptions, Pusher } from './content.ts';

export interface OpenedBlob {
  /** Times the source was opened. */
  opened: number;
  offsets: number[];
  open(options: FetchOptions): Promise<Content>;
}

export function randomBlob(size: number): TestBlob {
  return blobOf(OCTET_STREAM, randomBytes(size));
}

export function sha512Blob(size: number): TestBlob {
  const bytes = randomBytes(size);
  const digest: Digest = `sha512:${createHash('sha512').update(bytes).digest('hex')}`;
  return { bytes, descriptor: { mediaType: OCTET_STREAM, digest, size } };
}

/**
 * Bytes as a slow or a hasty medium would give them: in chunks, out of one buffer that is used
 * again.
 */
export function chunked(
  bytes: Uint8Array,
  chunk = 64 * 1024,
  pause?: () => Promise<unknown>,
): OpenedBlob {
  const opened: OpenedBlob = {
    opened: 0,
    offsets: [],
    async open({ offset = 0 }) {
      opened.opened += 1;
      opened.offsets.push(offset);
      return contentIn(bytes, offset, chunk, pause);
    },
  };
  return opened;
}

function contentIn(
  bytes: Uint8Array,
  offset: number,
  size: number,
  pause?: () => Promise<unknown>,
): Content {
  let cancelled = false;
  return {
    offset,
    cancel() {
      cancelled = true;
    },
    async *[Symbol.asyncIterator]() {
      // As every real medium does: of a Buffer, `slice` is a view and not a copy.
      const buffer = Buffer.alloc(size);
      for (let at = offset; at < bytes.byteLength && !cancelled; at += size) {
        const part = bytes.subarray(at, at + size);
        buffer.set(part);
        await pause?.();
        yield buffer.subarray(0, part.byteLength);
        buffer.fill(0xee);
      }
    },
  };
}

/** A source that holds these images, and counts what is read from it. */
export async function memoryOf(
  ...images: TestImage[]
): Promise<MemoryStore & { fetched: Digest[] }> {
  const memory = createMemoryStore();
  for (const image of images) await put(memory, image);
  const fetched: Digest[] = [];
  return {
    ...memory,
    fetched,
    fetch(descriptor, options) {
      fetched.push(descriptor.digest);
      return memory.fetch(descriptor, options);
    },
  };
}

export async function put(target: Pusher, image: TestImage): Promise<void> {
  for (const child of image.children) await put(target, child);
  for (const blob of [...image.blobs, image]) await putBlob(target, blob);
}

export async function putBlob(
  target: Pusher,
  { descriptor, bytes }: { descriptor: Descriptor; bytes: Uint8Array },
) {
  await target.push(descriptor, chunked(bytes).open);
}

export async function bytesOf(content: Content): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
