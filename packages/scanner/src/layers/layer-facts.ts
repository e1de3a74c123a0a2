/**
 * Facts about a layer, read from its bytes and cached: its `diff_id` (digest of the unpacked
 * archive), whether it contains files of an operating system, its package databases, the files that
 * tell of packages, and its proof-of-possession data.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { tooLarge } from '@portcullis/errors';
import {
  algorithmOf,
  chunkDigestsOf,
  type Digest,
  encodedOf,
  isUnscannedCompression,
} from '@portcullis/oci';
import { searchDatabases } from '../judging/package-databases.ts';
import { searchFiles } from '../unread/file-search.ts';
import {
  type CachedLayer,
  cacheLayer,
  readCachedLayer,
  type UnpackedFacts,
} from './layer-cache.ts';
import { tarEntryNames } from './tar.ts';
import { NO_TOC_ANNOTATIONS, type TocAnnotations } from './toc-annotations.ts';
import { type TocVerdict, verifyTocs } from './toc-verify.ts';
import { zstdFrames } from './zstd-frames.ts';

export interface LayerDirs {
  layoutDir: string;
  /** Directory of the cache. */
  cacheDir: string;
}

export interface ReadLimits {
  signal: AbortSignal;
  /** At most this many unpacked bytes are read. */
  maxUnpacked: number;
}

/**
 * @throws too_large `SCAN_TOO_LARGE`, also for a cached layer; the signal's reason; any other error
 * when the layer cannot be read or unpacked
 */
export async function layerFacts(
  digest: Digest,
  { layoutDir, cacheDir }: LayerDirs,
  limits: ReadLimits,
  annotations: TocAnnotations = NO_TOC_ANNOTATIONS,
): Promise<CachedLayer & { table: TocVerdict }> {
  const known = await readCachedLayer(cacheDir, digest);
  if (known && known.unpacked > limits.maxUnpacked) throw tooMuch();
  const judged = known?.tables[annotations.key];
  if (known && judged) return { ...known, table: judged };
  const path = pathOfBlob(layoutDir, digest);
  const { signal } = limits;
  const unpackedFacts = await readUnpacked(path, limits);
  const facts = { ...unpackedFacts, ...(await readPacked(path, digest, signal)) };
  const table = await verifyTocs({
    path,
    annotations,
    signal,
    archive: () => unpackLayer(path, signal),
  });
  const layer = { ...facts, tables: { ...known?.tables, [annotations.key]: table } };
  await cacheLayer(cacheDir, digest, layer);
  return { ...layer, table };
}

export function pathOfBlob(layoutDir: string, digest: Digest): string {
  return join(layoutDir, 'blobs', algorithmOf(digest), encodedOf(digest));
}

/** Compressed size of the layer; 0 where it is neither in the layout nor in the cache. */
export async function packedSize(
  digest: Digest,
  { layoutDir, cacheDir }: LayerDirs,
): Promise<number> {
  const found = await stat(pathOfBlob(layoutDir, digest)).catch(() => null);
  return found?.size ?? (await readCachedLayer(cacheDir, digest))?.witness.size ?? 0;
}

function tooMuch(): Error {
  return tooLarge('SCAN_TOO_LARGE', 'a layer unpacks to more bytes than are allowed');
}

/**
 * Facts cached under a digest, or by Trivy under a `diff_id`, must come from the bytes of that
 * digest.
 */
async function readPacked(
  path: string,
  digest: Digest,
  signal: AbortSignal,
): Promise<Pick<CachedLayer, 'sha256' | 'witness'>> {
  const hashes = new Map(
    (['sha256', algorithmOf(digest)] as const).map((name) => [name, createHash(name)]),
  );
  const file = createReadStream(path, { ...CHUNK_READ, signal });
  const witness = await chunkDigestsOf(hashedBy([...hashes.values()], file));
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
  for await (const chunk of source) {
    for (const hash of hashes) hash.update(chunk);
    yield chunk;
  }
}

async function readUnpacked(
  path: string,
  { signal, maxUnpacked }: ReadLimits,
): Promise<UnpackedFacts> {
  const reading: Reading = { hash: createHash('sha256'), unpacked: 0, maxUnpacked, fault: null };
  const chunks = hashed(await unpackLayer(path, signal), reading);
  try {
    const found = await readNames(chunks);
    // Reads to the end: the names stop at the archive's end marker.
    while (!(await chunks.next()).done) signal.throwIfAborted();
    if (reading.fault) throw reading.fault;
    const diffId = `sha256:${reading.hash.digest('hex')}`;
    return { diffId, ...found, unpacked: reading.unpacked };
  } finally {
    await chunks.return(undefined);
  }
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
const CHUNK_READ = { highWaterMark: CHUNK.chunkSize };

/**
 * Detects the compression by the first bytes, as Trivy does: media types may lie. @throws Error
 * where an engine would unpack the layer and Trivy would not
 */
export async function unpackLayer(path: string, signal?: AbortSignal): Promise<Readable> {
  const head = await firstBytes(path);
  if (isUnscannedCompression(head))
    throw new Error('the layer is packed by a program that the scanner cannot read');
  const magic = head.subarray(0, 4).toString('hex');
  const file = createReadStream(path, { ...CHUNK_READ, ...(signal && { signal }) });
  if (magic.startsWith('1f8b')) return pipeline(file, createGunzip(CHUNK), ignore);
  if (magic === '28b52ffd')
    return pipeline(Readable.from(zstdFrames(file)), createZstdDecompress(CHUNK), ignore);
  return file;
}

function ignore(): void {}

async function firstBytes(path: string): Promise<Buffer> {
  const bytes: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: 5 })) bytes.push(chunk);
  return Buffer.concat(bytes);
}
