/**
 * The packed bytes of a layer: whether they are those of its digest, and what a source has to show
 * of them once they are no longer here.
 */
import { createHash, type Hash, hash } from 'node:crypto';
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { algorithmOf, type ChunkDigests, chunkDigestsOf, type Digest } from '@portcullis/oci';

export interface PackedBytes {
  sha256: Digest;
  witness: ChunkDigests;
}

/**
 * Facts cached under a digest, or by Trivy under a `diff_id`, must come from the bytes of that
 * digest.
 * @throws Error where they are others; the file system's error
 */
export async function readPacked(file: FileHandle, digest: Digest): Promise<PackedBytes> {
  const hashes = new Map(
    (['sha256', algorithmOf(digest)] as const).map((name) => [name, createHash(name)]),
  );
  const blocks = hashedBy([...hashes.values()], blocksOf(file));
  const witness = await chunkDigestsOf(blocks, (part) => hash('sha256', part, 'buffer'));
  const digests = [...hashes].map(([name, hash]): Digest => `${name}:${hash.digest('hex')}`);
  const sha256 = digests.find((each) => algorithmOf(each) === 'sha256');
  if (sha256 === undefined || !digests.includes(digest))
    throw new Error('the layer has other bytes than its digest says');
  return { witness, sha256 };
}

async function* hashedBy(
  hashes: readonly Hash[],
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const block of source) {
    for (const hash of hashes) hash.update(block);
    yield block;
  }
}

const BLOCK = 256 * 1024;

/** All are read into the same memory: each is valid until the next one. */
async function* blocksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const memory = Buffer.allocUnsafe(BLOCK);
  for (;;) {
    const bytesRead = readSync(file.fd, memory, 0, BLOCK, null);
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
  }
}
