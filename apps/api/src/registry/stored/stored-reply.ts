/** A reply that is served without asking the registry. */
import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Digest } from '@portcullis/oci';
import type { Response } from 'express';
import { plainRange } from './byte-range.ts';
import { sendFile } from './send-file.ts';

/** The headers that decide about what is served. */
export type ReadHeaders = Pick<IncomingHttpHeaders, 'range' | 'accept'>;

export interface StoredReply {
  status: 200 | 206;
  /** Those of the registry's reply. */
  headers: IncomingHttpHeaders;
  /** All of a manifest; null for a blob. */
  bytes: Buffer | null;
  /** Ends the response; resolves also when the client has disconnected. */
  send(response: Response): Promise<void>;
  /** For a reply that is not sent. */
  discard(): Promise<void>;
}

/** @returns null where the registry has to answer: the file is closed then */
export async function blobReply(
  { digest, size, file }: { digest: Digest; size: number; file: FileHandle },
  { method, range: header }: { method: string; range: string | undefined },
): Promise<StoredReply | null> {
  const whole = { start: 0, end: size - 1 };
  const range = header === undefined ? whole : plainRange(header, size);
  if (range === null) {
    await file.close();
    return null;
  }
  return {
    status: header === undefined ? 200 : 206,
    bytes: null,
    headers: {
      'accept-ranges': 'bytes',
      'content-length': String(range.end - range.start + 1),
      'content-type': 'application/octet-stream',
      'docker-content-digest': digest,
      etag: `"${digest}"`,
      ...(header !== undefined && {
        'content-range': `bytes ${range.start}-${range.end}/${size}`,
      }),
    },
    async send(response) {
      if (method === 'HEAD' || size === 0) {
        response.end();
        return file.close();
      }
      await sendFile(file, range, response);
      await file.close();
    },
    discard: () => file.close(),
  };
}

/** @param headers of the registry's reply to an earlier read of the same manifest */
export function manifestReply(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  method: string,
): StoredReply {
  return {
    status: 200,
    headers,
    bytes,
    async send(response) {
      response.end(method === 'HEAD' ? undefined : bytes);
    },
    discard: async () => {},
  };
}
