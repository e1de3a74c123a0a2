/** The bytes of a file as content: one buffer, read while the reader works on the other. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { notFound } from '@portcullis/errors';
import type { Content, FetchOptions } from '../copy/content.ts';
import { sizeMismatch } from '../copy/content-errors.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { errnoOf, storageError } from './storage-error.ts';

export const CHUNK = 256 * 1024;

/** @throws not_found `BLOB_UNKNOWN`; a link in the place of a file isn't followed and counts as nothing there */
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
    // Its failure is thrown when its turn comes, which may be later than the runtime waits for a handler.
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
    // The file must not be closed under a read.
    await ahead.catch(() => undefined);
  }
}

async function openBlob(path: string, { digest }: Descriptor): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ELOOP')
      throw notFound('BLOB_UNKNOWN', `there is no ${digest}`);
    throw storageError(error);
  }
}
