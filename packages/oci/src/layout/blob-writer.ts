/** Writes one blob to a file, resuming a partial one, and verifies its size and digest. */
import { constants, writeSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import type { MoveOptions, OpenContent, PushOptions } from '../copy/content.ts';
import { createVerifier, type Verifier } from '../copy/verified.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { isOciError, unavailable } from '../oci-error.ts';
import { createEarlySync, type EarlySync } from './early-sync.ts';
import { chunksOf } from './file-content.ts';
import { createSealer } from './seal.ts';

/**
 * On the main thread, large chunks are written in parallel with hashing, so that a slow disk does
 * not block it. A mover thread writes them itself, with half of the CPU time.
 */
const OVERLAP_FROM = isMainThread ? 128 * 1024 : Number.POSITIVE_INFINITY;

type WriteOptions = Pick<MoveOptions, 'signal' | 'onBytes' | 'follower'>;

interface Writing {
  file: FileHandle;
  sync: EarlySync;
  verifier: Verifier;
  descriptor: Descriptor;
  options: WriteOptions;
}

/**
 * @throws invalid `DIGEST_MISMATCH`, `SIZE_MISMATCH`; unavailable `CONTENT_TRUNCATED`; what `open`
 * throws
 */
export async function writeBlob(
  path: string,
  descriptor: Descriptor,
  open: OpenContent,
  options: WriteOptions = {},
): Promise<void> {
  const file = await openFile(
    path,
    constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    const kept = (await file.stat()).size;
    await write(file, kept, descriptor, open, options);
    await file.chmod(0o400);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * As `writeBlob`, on another thread where the source can move the blob itself.
 * @throws as `writeBlob`
 */
export function fillBlob(
  path: string,
  descriptor: Descriptor,
  open: OpenContent,
  { move, ...options }: WriteOptions & Pick<PushOptions, 'move'> = {},
): Promise<void> {
  return move ? move(path, options) : writeBlob(path, descriptor, open, options);
}

async function write(
  file: FileHandle,
  kept: number,
  descriptor: Descriptor,
  open: OpenContent,
  options: WriteOptions,
): Promise<void> {
  if (kept === 0) return writeFrom(file, 0, descriptor, open, options);
  try {
    await writeFrom(file, kept, descriptor, open, options);
  } catch (error) {
    if (!isWrongContent(error)) throw error;
    // The bytes left by an earlier writer may be wrong: start again from the first byte.
    await writeFrom(file, 0, descriptor, open, options);
  }
}

export function isWrongContent(error: unknown): boolean {
  return isOciError(error) && (error.code === 'DIGEST_MISMATCH' || error.code === 'SIZE_MISMATCH');
}

async function writeFrom(
  file: FileHandle,
  kept: number,
  descriptor: Descriptor,
  open: OpenContent,
  options: WriteOptions,
): Promise<void> {
  const { follower } = options;
  const sync = createEarlySync(file, kept);
  const sealer = follower && createSealer(follower.key);
  const verifier = createVerifier(descriptor, sealer);
  const writing = { file, sync, verifier, descriptor, options };
  if (kept === 0) await file.truncate(0);
  else await readKept(writing);
  try {
    if (verifier.seen < descriptor.size || descriptor.size === 0) await receive(writing, open);
  } finally {
    await sync.settled();
  }
  verifier.end();
  sync.assertSynced();
  if (sealer) follower.written(sealer.end());
}

async function readKept({ file, verifier, options }: Writing): Promise<void> {
  for await (const chunk of chunksOf(file, 0)) {
    options.signal?.throwIfAborted();
    verifier.update(chunk);
    options.onBytes?.(chunk.byteLength, 'reused');
  }
}

async function receive(writing: Writing, open: OpenContent): Promise<void> {
  const { verifier, sync, options } = writing;
  const { signal, onBytes } = options;
  const content = await open({ offset: verifier.seen, signal });
  let skip = verifier.seen - content.offset;
  if (skip < 0) {
    content.cancel();
    throw unavailable('CONTENT_OFFSET', 'the content starts after the requested offset');
  }
  for await (const chunk of content) {
    signal?.throwIfAborted();
    onBytes?.(chunk.byteLength, 'moved');
    const fresh = skip === 0 ? chunk : chunk.subarray(skip);
    skip -= chunk.byteLength - fresh.byteLength;
    if (fresh.byteLength > 0) await append(writing, fresh);
    sync.note(verifier.seen);
  }
}

async function append({ file, verifier }: Writing, chunk: Uint8Array): Promise<void> {
  const position = verifier.seen;
  if (chunk.byteLength < OVERLAP_FROM) {
    verifier.update(chunk);
    writeAll(file, chunk, position);
    return;
  }
  const writing = file.write(chunk, 0, chunk.byteLength, position);
  try {
    verifier.update(chunk);
  } finally {
    // The source may reuse the chunk's memory once this function returns.
    const { bytesWritten } = await writing;
    if (bytesWritten < chunk.byteLength)
      writeAll(file, chunk.subarray(bytesWritten), position + bytesWritten);
  }
}

function writeAll({ fd }: FileHandle, chunk: Uint8Array, position: number): void {
  for (let written = 0; written < chunk.byteLength; ) {
    written += writeSync(fd, chunk, written, chunk.byteLength - written, position + written);
  }
}
