/**
 * Reads a blob file as content, with double buffering: the next chunk is read while the caller
 * processes one.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Content, FetchOptions } from '../copy/content.ts';
import { sizeMismatch } from '../copy/content-errors.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { notFound } from '../oci-error.ts';
import { errnoOf, storageError } from './storage-error.ts';

const CHUNK = 256 * 1024;

/**
 * @throws not_found `BLOB_UNKNOWN`, also if the path is a symbolic link, which is never followed
 */
export async function fileContent(
  path: string,
  descriptor: Descriptor,
  { offset = 0, signal }: FetchOptions = {},
): Promise<Content> {
  signal?.throwIfAborted();
  const file = await openBlob(path, descriptor);
  const { size } = await file.stat();
  if (size !== descriptor.size) {
    await file.close();
    throw sizeMismatch(descriptor);
  }
  let cancelled = false;
  let begun = false;
  return {
    offset,
    cancel() {
      cancelled = true;
      if (!begun) void file.close();
      begun = true;
    },
    async *[Symbol.asyncIterator]() {
      if (begun) return;
      begun = true;
      try {
        for await (const chunk of chunksOf(file, offset)) {
          if (cancelled) return;
          signal?.throwIfAborted();
          yield chunk;
        }
      } finally {
        await file.close();
      }
    },
  };
}

export async function* chunksOf(file: FileHandle, from: number): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)] as const;
  let position = from;
  const readAhead = (buffer: Buffer) => {
    const reading = file.read(buffer, 0, CHUNK, position);
    // The failure is thrown by a later `await`; without a handler until then, the process would
    // end.
    reading.catch(() => undefined);
    return reading;
  };
  let ahead = readAhead(buffers[0]);
  try {
    for (let turn = 0; ; turn += 1) {
      const { bytesRead, buffer } = await ahead;
      if (bytesRead === 0) return;
      position += bytesRead;
      ahead = readAhead(buffers[turn % 2 === 0 ? 1 : 0]);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // The file must not be closed during a read.
    await ahead.catch(() => undefined);
  }
}

async function openBlob(path: string, { digest }: Descriptor): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ELOOP')
      throw notFound('BLOB_UNKNOWN', `the blob ${digest} does not exist`);
    throw storageError(error);
  }
}
