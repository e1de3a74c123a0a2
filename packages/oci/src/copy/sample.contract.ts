/** Sources with test images, for the tests of this package. */
import { createHash, randomBytes } from 'node:crypto';
import type { TestBlob, TestImage } from '@portcullis/testing';
import { createMemoryStore, type MemoryStore } from '../memory/memory.ts';
import type { Digest } from '../model/digest.ts';
import { OCTET_STREAM } from '../model/media-type.ts';
import { putBlob } from '../target-contract/content.ts';
import type { Pusher } from './content.ts';

export function sha512Blob(size: number): TestBlob {
  const bytes = randomBytes(size);
  const digest: Digest = `sha512:${createHash('sha512').update(bytes).digest('hex')}`;
  return { bytes, descriptor: { mediaType: OCTET_STREAM, digest, size } };
}

/** A source that holds these images and records what is fetched. */
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
