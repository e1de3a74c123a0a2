/**
 * What a layer really is, read from its bytes and remembered: its `diff_id` (the digest of the unpacked archive),
 * whether it brings anything of an operating system, and by what somebody shows later that he has it.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { algorithmOf, type Digest, encodedOf, witnessOf } from '@portcullis/oci';
import { type LayerFacts, recallLayer, rememberLayer } from './layer-memory.ts';
import { tarNames } from './tar.ts';
import { zstdFrames } from './zstd-frames.ts';

/** @throws the signal's reason; any other error when the layer can't be read or unpacked */
export async function layerFacts(
  layoutDir: string,
  digest: Digest,
  memoryDir: string,
  signal: AbortSignal,
): Promise<LayerFacts> {
  const known = await recallLayer(memoryDir, digest);
  if (known) return known;
  const path = pathOfBlob(layoutDir, digest);
  const facts = await readFacts(path, signal);
  const witness = await witnessOf(createReadStream(path, { ...CHUNK_READ, signal }));
  await rememberLayer(memoryDir, digest, { ...facts, witness });
  return facts;
}

export function pathOfBlob(layoutDir: string, digest: Digest): string {
  return join(layoutDir, 'blobs', algorithmOf(digest), encodedOf(digest));
}

async function readFacts(path: string, signal: AbortSignal): Promise<LayerFacts> {
  const reading: Reading = { hash: createHash('sha256'), fault: null };
  const chunks = hashed(await unpacked(path, signal), reading);
  try {
    const hasOs = await findOs(chunks);
    // To the end: the names stop at the archive's end mark, or at the first trace.
    while (!(await chunks.next()).done) signal.throwIfAborted();
    if (reading.fault) throw reading.fault;
    return { diffId: `sha256:${reading.hash.digest('hex')}`, hasOs };
  } finally {
    await chunks.return(undefined);
  }
}

interface Reading {
  hash: Hash;
  /** Of the file or its packing; a fault of the archive within is not one. */
  fault: Error | null;
}

async function* hashed(
  source: AsyncIterable<Uint8Array>,
  reading: Reading,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const chunk of source) {
      reading.hash.update(chunk);
      yield chunk;
    }
  } catch (cause) {
    reading.fault = cause instanceof Error ? cause : new Error('the layer could not be read', { cause });
    throw cause;
  }
}

const TRACE =
  /^(?:\.?\/)*(?:(?:usr\/)?(?:s?bin\/(?:(?:ba|da|a)?sh|busybox|toybox|apk|dpkg|rpm)$|lib\/(?:os-release$|apk\/|rpm\/|sysimage\/)|lib(?:64)?\/ld-)|etc\/(?:[\w-]*release|debian_version)$|var\/lib\/(?:dpkg|rpm|pacman)|nix\/store)/;

/** True when in doubt. What went wrong beneath is in `Reading.fault`. */
async function findOs(chunks: AsyncIterator<Uint8Array>): Promise<boolean> {
  try {
    for await (const name of tarNames(chunks)) if (TRACE.test(name)) return true;
    return false;
  } catch {
    return true;
  }
}

const CHUNK = { chunkSize: 256 * 1024 };
const CHUNK_READ = { highWaterMark: CHUNK.chunkSize };

/** By the first bytes, as the scanner does: media types may lie. */
export async function unpacked(path: string, signal?: AbortSignal): Promise<Readable> {
  const magic = await firstBytes(path);
  const file = createReadStream(path, { ...CHUNK_READ, ...(signal && { signal }) });
  if (magic.startsWith('1f8b')) return pipeline(file, createGunzip(CHUNK), ignore);
  if (magic === '28b52ffd')
    return pipeline(Readable.from(zstdFrames(file)), createZstdDecompress(CHUNK), ignore);
  return file;
}

/** The reader at the end of the pipeline gets the error. */
function ignore(): void {}

async function firstBytes(path: string): Promise<string> {
  const bytes: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: 3 })) bytes.push(chunk);
  return Buffer.concat(bytes).toString('hex');
}
