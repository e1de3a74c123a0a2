/** Writes a backup archive: a tar stream that ends with a checksum of every entry. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { conflict } from '@portcullis/errors';
import { hasCode } from '@portcullis/runtime';
import { type Pack, pack } from 'tar-stream';
import { type ArchiveLimits, ENTRIES, LIMITS, sizeInChecksums } from './manifest.ts';

export interface ArchiveWriter {
  json(name: string, value: unknown): Promise<void>;
  /** Returns false where the file no longer exists. */
  file(name: string, file: string): Promise<boolean>;
  lines(name: string, lines: AsyncIterable<string>): Promise<number>;
}

/** Writes what `fill` adds, then the checksums, and ends the stream. */
export async function writeArchive(
  to: Writable,
  fill: (archive: ArchiveWriter) => Promise<void>,
  limits: ArchiveLimits = LIMITS,
): Promise<void> {
  const tar = pack();
  // Standard output must not be ended.
  const writing = pipeline(tar, to, { end: to !== process.stdout });
  const filling = fillArchive(tar, fill, limits).catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  await Promise.all([filling, writing]);
}

async function fillArchive(
  tar: Pack,
  fill: (archive: ArchiveWriter) => Promise<void>,
  limits: ArchiveLimits,
): Promise<void> {
  const sums: Record<string, string> = {};
  let listed = sizeInChecksums(ENTRIES.checksums);
  function add(name: string, sum: string): void {
    listed += sizeInChecksums(name);
    if (listed > limits.checksums) throw tooManyFiles(limits.checksums);
    sums[name] = sum;
  }
  async function file(name: string, place: string): Promise<boolean> {
    const sum = await writeFile(tar, name, place);
    if (sum !== null) add(name, sum);
    return sum !== null;
  }
  await fill({
    async json(name, value) {
      add(name, await writeText(tar, name, JSON.stringify(value)));
    },
    file,
    lines: (name, lines) => spoolFile(lines, (spool) => file(name, spool)),
  });
  await writeText(tar, ENTRIES.checksums, JSON.stringify(sums));
  tar.finalize();
}

/** No restore would read it. */
function tooManyFiles(limit: number): Error {
  return conflict(
    'BACKUP_TOO_LARGE',
    `the names of its files are longer than ${limit} bytes, which no restore reads; use --without-images, and back up the registry's storage directory itself`,
  );
}

/** A tar entry begins with its size: content of unknown size is written to a file first. */
async function spoolFile(
  lines: AsyncIterable<string>,
  use: (file: string) => Promise<unknown>,
): Promise<number> {
  const dir = await mkdtemp(path.join(tmpdir(), 'portcullis-backup-'));
  const spool = path.join(dir, 'lines');
  let count = 0;
  const counted = async function* () {
    for await (const line of lines) {
      count++;
      yield `${line}\n`;
    }
  };
  try {
    await pipeline(Readable.from(counted()), createWriteStream(spool, { mode: 0o600 }));
    await use(spool);
    return count;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function writeText(tar: Pack, name: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  await writeEntry(tar, { name, size: bytes.length }, [bytes]);
  return createHash('sha256').update(bytes).digest('hex');
}

async function writeFile(tar: Pack, name: string, file: string): Promise<string | null> {
  const handle = await openIfThere(file);
  if (handle === null) return null;
  await using _ = handle;
  const { size } = await handle.stat();
  const hash = createHash('sha256');
  await writeEntry(tar, { name, size }, hashed(handle, size, hash));
  return hash.digest('hex');
}

async function* hashed(handle: FileHandle, size: number, hash: ReturnType<typeof createHash>) {
  let left = size;
  for (let position = 0; left > 0; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(left, 1 << 18)), {
      position,
    });
    if (bytesRead === 0)
      throw conflict(
        'FILE_CHANGED',
        'a file became shorter while it was copied; run the backup again',
      );
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    position += bytesRead;
    left -= bytesRead;
    yield chunk;
  }
}

async function writeEntry(
  tar: Pack,
  { name, size }: { name: string; size: number },
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  const entry = tar.entry({ name, size, mode: 0o600 });
  await pipeline(chunks, entry);
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
