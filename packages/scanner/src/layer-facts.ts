/**
 * What a layer really is, read from its bytes once and remembered: its `diff_id` (the digest of the unpacked
 * archive) and whether it brings anything of an operating system.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { algorithmOf, type Digest, encodedOf } from '@portcullis/oci';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { tarNames } from './tar.ts';
import { zstdFrames } from './zstd-frames.ts';

export const LayerFacts = z.object({ diffId: z.string(), hasOs: z.boolean() });
export type LayerFacts = z.infer<typeof LayerFacts>;

/** @throws the signal's reason; any other error when the layer can't be read or unpacked */
export async function layerFacts(
  layoutDir: string,
  digest: Digest,
  memoryDir: string,
  signal: AbortSignal,
): Promise<LayerFacts> {
  const memory = join(memoryDir, `${algorithmOf(digest)}-${encodedOf(digest)}.json`);
  const known = await recall(memory);
  if (known) return known;
  const facts = await readFacts(join(layoutDir, 'blobs', algorithmOf(digest), encodedOf(digest)), signal);
  await remember(memory, facts);
  return facts;
}

/** Base layers that are still in use are read again then; nothing else is lost. */
const FORGOTTEN_MS = 90 * 24 * 3600 * 1000;

export async function forgetOldLayers(memoryDir: string): Promise<void> {
  for (const name of await readdir(memoryDir).catch(() => [])) {
    const path = join(memoryDir, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
}

async function recall(path: string): Promise<LayerFacts | null> {
  try {
    return LayerFacts.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function remember(path: string, facts: LayerFacts): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify(facts));
  await rename(draft, path);
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

/** By the first bytes, as the scanner does: media types may lie. */
async function unpacked(path: string, signal: AbortSignal): Promise<Readable> {
  const magic = await firstBytes(path);
  const file = createReadStream(path, { highWaterMark: CHUNK.chunkSize, signal });
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
