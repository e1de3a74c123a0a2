/**
 * Finds the tables of contents that an engine would find in a layer: by its annotations, and by the
 * last bytes of the blob.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { Digest } from '@portcullis/oci';
import { tarEntries } from '../tar-entries.ts';
import { zstdFrames } from '../zstd-frames.ts';
import type { TocAnnotations, TocRange } from './annotations.ts';

/** Larger tables are not compared. */
const MAX_TOC_BYTES = 64 * 1024 * 1024;

export interface FoundToc {
  bytes: Uint8Array;
  /** Digest of the table's compressed bytes, where the annotations can refer to it. */
  packed: Digest | null;
  unpacked: Digest;
}

/**
 * @throws Error where an annotation points to no table, or where a table is too large to be read
 */
export async function findTocs(path: string, annotations: TocAnnotations): Promise<FoundToc[]> {
  await using file = await open(path);
  const { size } = await file.stat();
  const tables: FoundToc[] = [];
  for (const range of annotations.positions) tables.push(await zstdTable(file, size, range));
  const end = await tail(file, size);
  for (const range of zstdFooters(end))
    tables.push(...(await orNone(zstdTable(file, size, range))));
  for (const { footer, offset } of gzipFooters(end)) {
    const range = { offset, length: size - footer - offset };
    tables.push(...(await orNone(gzipTable(file, size, range))));
  }
  return tables;
}

/**
 * Candidates found only by the last bytes: what cannot be read as a table is not one to an engine
 * either.
 */
async function orNone(reading: Promise<FoundToc>): Promise<FoundToc[]> {
  try {
    return [await reading];
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    return [];
  }
}

class TooLarge extends Error {}

const TAIL = 72;

async function tail(file: FileHandle, size: number): Promise<Buffer> {
  const length = Math.min(size, TAIL);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer;
}

/** The second is that of containers/storage before 2023. */
const ZSTD_CHUNKED = ['GNUlInUx', 'GnUlInUx'];

/**
 * The number of 64-bit values before the magic number: originally four, seven since tar-split data
 * was added.
 */
function zstdFooters(end: Buffer): TocRange[] {
  if (!ZSTD_CHUNKED.includes(end.subarray(-8).toString('latin1'))) return [];
  return [40, 64]
    .filter((length) => end.length >= length)
    .map((length) => {
      const footer = end.subarray(-length);
      return {
        offset: Number(footer.readBigUInt64LE(0)),
        length: Number(footer.readBigUInt64LE(8)),
      };
    });
}

/**
 * The last gzip member of eStargz, and the shorter one of stargz. containers/storage checks only
 * the number.
 */
function gzipFooters(end: Buffer): { footer: number; offset: number }[] {
  const text = end.toString('latin1');
  return [
    { footer: 51, digits: text.slice(-51).slice(16, 32) },
    { footer: 47, digits: text.slice(-47).slice(12, 28) },
  ]
    .filter(({ digits }) => /^\+?[0-9a-f]+$/i.test(digits) && digits.length === 16)
    .map(({ footer, digits }) => ({ footer, offset: Number.parseInt(digits, 16) }));
}

async function zstdTable(file: FileHandle, size: number, range: TocRange): Promise<FoundToc> {
  if (!(await startsFrame(file, range.offset))) throw new Error('there is no table of contents');
  const packed = await slice(file, size, range);
  const unpacking = pipeline(
    Readable.from(zstdFrames(Readable.from([packed]))),
    createZstdDecompress(),
    ignore,
  );
  return asFound(await readWhole(unpacking), digestOf(packed));
}

/** A zstd frame or a skippable frame. */
async function startsFrame(file: FileHandle, offset: number): Promise<boolean> {
  if (!Number.isSafeInteger(offset)) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, offset);
  const magic = buffer.readUInt32LE();
  return bytesRead === 4 && (magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5);
}

/** The table is the first file of a separate archive. */
async function gzipTable(file: FileHandle, size: number, range: TocRange): Promise<FoundToc> {
  const packed = await slice(file, size, range);
  const unpacking = pipeline(Readable.from([packed]), createGunzip(), ignore);
  for await (const entry of tarEntries(unpacking[Symbol.asyncIterator]())) {
    if (entry.size > MAX_TOC_BYTES) throw new TooLarge('a table of contents is too large');
    return asFound(await readWhole(entry.content()), null);
  }
  throw new Error('there is no table of contents');
}

async function slice(
  file: FileHandle,
  size: number,
  { offset, length }: TocRange,
): Promise<Buffer> {
  if (!(length > 0 && offset >= 0 && offset + length <= size))
    throw new Error('it is not within the blob');
  if (length > MAX_TOC_BYTES) throw new TooLarge('a table of contents is too large');
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer;
}

async function readWhole(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_TOC_BYTES) throw new TooLarge('a table of contents is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function asFound(bytes: Uint8Array, packed: Digest | null): FoundToc {
  return { bytes, packed, unpacked: digestOf(bytes) };
}

function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function ignore(): void {}
