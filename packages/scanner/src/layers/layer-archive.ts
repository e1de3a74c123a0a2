/**
 * The archive of a layer: its `diff_id` (digest of the unpacked archive), whether it contains files
 * of an operating system, its package databases, and the files that tell of packages.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { tooLarge } from '@portcullis/errors';
import { isUnscannedCompression } from '@portcullis/oci';
import type { ByteSealer } from '@portcullis/oci/layout';
import { searchDatabases } from '../judging/package-databases.ts';
import { searchFiles } from '../unread/file-search.ts';
import { fed } from './fed.ts';
import { growingFile, ownMemory, sharedMemory } from './growing-file.ts';
import type { UnpackedFacts } from './layer-cache.ts';
import { tarEntryNames } from './tar.ts';
import { zstdFrames } from './zstd-frames.ts';

/** The bytes of an archive. */
export type Unpacked = AsyncIterable<Uint8Array>;

/** @throws too_large `SCAN_TOO_LARGE`; any other error when it cannot be read or unpacked */
export async function readUnpacked(archive: Unpacked, maxUnpacked: number): Promise<UnpackedFacts> {
  const reading: Reading = { hash: createHash('sha256'), unpacked: 0, maxUnpacked, fault: null };
  const chunks = hashed(archive, reading);
  try {
    const found = await readNames(chunks);
    // Reads to the end: the names stop at the archive's end marker.
    while (!(await chunks.next()).done);
    if (reading.fault) throw reading.fault;
    const diffId = `sha256:${reading.hash.digest('hex')}`;
    return { diffId, ...found, unpacked: reading.unpacked };
  } finally {
    await chunks.return(undefined);
  }
}

export function tooMuch(): Error {
  return tooLarge('SCAN_TOO_LARGE', 'a layer unpacks to more bytes than are allowed');
}

interface Reading {
  hash: Hash;
  /** Bytes read so far. */
  unpacked: number;
  maxUnpacked: number;
  /** A fault of the file or its compression; a fault of the archive inside is not one. */
  fault: Error | null;
}

async function* hashed(
  source: AsyncIterable<Uint8Array>,
  reading: Reading,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const chunk of source) {
      reading.unpacked += chunk.byteLength;
      if (reading.unpacked > reading.maxUnpacked) throw tooMuch();
      reading.hash.update(chunk);
      yield chunk;
    }
  } catch (cause) {
    reading.fault =
      cause instanceof Error ? cause : new Error('the layer could not be read', { cause });
    throw cause;
  }
}

const TRACE =
  /^(?:\.?\/)*(?:(?:usr\/)?(?:s?bin\/(?:(?:ba|da|a)?sh|busybox|toybox|apk|dpkg|rpm)$|lib\/(?:os-release$|apk\/|rpm\/|sysimage\/)|lib(?:64)?\/ld-)|etc\/(?:[\w-]*release|debian_version)$|var\/lib\/(?:dpkg|rpm|pacman)|nix\/store)/;

/** In doubt there is an operating system. Read errors are in `Reading.fault`. */
async function readNames(
  chunks: AsyncIterator<Uint8Array>,
): Promise<Pick<UnpackedFacts, 'hasOs' | 'databases' | 'removed' | 'files'>> {
  const search = searchDatabases();
  const files = searchFiles();
  let isRead = false;
  let hasOs = false;
  try {
    for await (const entry of tarEntryNames(chunks)) {
      hasOs ||= TRACE.test(entry.name);
      search.add(entry.name, entry.linkTo);
      await files.add(entry);
    }
    isRead = true;
  } catch {
    hasOs = true;
  }
  const { isComplete, ...found } = files.found();
  return { hasOs, ...search.found(), files: { ...found, isComplete: isComplete && isRead } };
}

const CHUNK = { chunkSize: 256 * 1024 };
/** Smaller ones than those that come out: with large ones the thread waits for each. */
const CHUNK_READ = { highWaterMark: 64 * 1024 };

/**
 * Detects the compression by the first bytes, as Trivy does: media types may lie. @throws Error
 * where an engine would unpack the layer and Trivy would not
 */
export async function unpackLayer(path: string, signal?: AbortSignal): Promise<Unpacked> {
  const head = await allOf(createReadStream(path, { end: MARK_BYTES - 1 }));
  return unpack(head, createReadStream(path, { ...CHUNK_READ, ...(signal && { signal }) }));
}

/**
 * As `unpackLayer`, while the file is written. Each byte is read once, since it may be overwritten,
 * and seen by the sealer. @throws as `unpackLayer`
 */
export async function unpackGrown(file: FileHandle, size: number, { update }: ByteSealer) {
  const headBytes = Math.min(MARK_BYTES, size);
  const head = await allOf(growingFile(file, 0, headBytes));
  const memory = isGzip(head) ? sharedMemory() : ownMemory;
  async function* readSealed() {
    update(head);
    yield head;
    for await (const piece of growingFile(file, headBytes, size, memory)) {
      update(piece);
      yield piece;
    }
  }
  return unpack(head, readSealed());
}

/** The longest mark of a compression, xz. */
const MARK_BYTES = 6;

function unpack(head: Buffer, pieces: AsyncIterable<Buffer>): Unpacked {
  if (isUnscannedCompression(head))
    throw new Error('the layer is packed by a program that the scanner cannot read');
  if (isGzip(head)) return fed(createGunzip(CHUNK), pieces);
  if (head.subarray(0, 4).toString('hex') === '28b52ffd')
    return fed(createZstdDecompress(CHUNK), zstdFrames(pieces));
  return pieces;
}

function isGzip(head: Buffer): boolean {
  return head.subarray(0, 2).toString('hex') === '1f8b';
}

async function allOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
