/** Appends a body to the file of an upload and hashes it on the way. */
import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Bytes that are collected before a write, which uses one of Node's few threads for files. */
const PART_BYTES = 512 * 1024;
/** Beyond `MOST_LARGE` bodies at once, so that their parts stay small together. */
const SMALL_PART_BYTES = 64 * 1024;
const MOST_LARGE = 32;
let receiving = 0;

export interface UploadFile {
  file: FileHandle;
  size: number;
  /** SHA-256 of all its bytes; null where another process wrote some of them. */
  hash: Hash | null;
}

/**
 * What arrived before the body breaks off is in the file, so that the upload can continue there.
 * @throws what the body throws; a system error, after which the content of the file is unknown
 */
export async function append(upload: UploadFile, body: AsyncIterable<Uint8Array>): Promise<void> {
  const partBytes = receiving < MOST_LARGE ? PART_BYTES : SMALL_PART_BYTES;
  let part: Uint8Array[] = [];
  let bytes = 0;
  let writing = Promise.resolve();
  const write = async () => {
    await writing;
    writing = writeAll(upload.file, part, upload.size);
    // Its failure is seen where it is awaited, which may be after the next chunk.
    writing.catch(() => {});
    upload.size += bytes;
    [part, bytes] = [[], 0];
  };
  receiving += 1;
  try {
    for await (const chunk of body) {
      upload.hash?.update(chunk);
      part.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= partBytes) await write();
    }
  } finally {
    receiving -= 1;
    await write();
    await writing;
  }
}

async function writeAll(file: FileHandle, part: Uint8Array[], position: number): Promise<void> {
  const length = part.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (length === 0) return;
  const { bytesWritten } = await file.writev(part, position);
  if (bytesWritten < length) await writeRest(file, part, { position, from: bytesWritten });
}

/** The kernel wrote a part only, such as up to the last free byte; the next write says why. */
async function writeRest(
  file: FileHandle,
  part: Uint8Array[],
  { position, from }: { position: number; from: number },
): Promise<void> {
  const rest = Buffer.concat(part);
  for (let at = from; at < rest.byteLength; ) {
    const { bytesWritten } = await file.write(rest, at, rest.byteLength - at, position + at);
    at += bytesWritten;
  }
}

export async function hashOfFile(file: FileHandle, algorithm: string): Promise<Hash> {
  const hash = createHash(algorithm);
  const options = { start: 0, autoClose: false, highWaterMark: PART_BYTES };
  for await (const chunk of file.createReadStream(options)) hash.update(chunk);
  return hash;
}
