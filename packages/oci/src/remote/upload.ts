/**
 * Uploads a blob (distribution spec § Pushing blobs): monolithic, or in chunks if the registry or a
 * proxy in front of it refuses a large body. A failed monolithic upload starts again; a chunked one
 * resumes at the offset of the registry.
 */

import { sizeMismatch, truncated } from '../copy/content-errors.ts';
import type { OciError } from '../oci-error.ts';
import { isRetryable, pause } from './http/retry.ts';
import { registryError } from './registry-error.ts';
import { uploadInChunks } from './upload-chunks.ts';
import {
  begin,
  describeSubject,
  OCTETS,
  type Upload,
  waitAfter,
  withDigest,
} from './upload-session.ts';

/** Status codes with which registries and proxies refuse a monolithic upload. */
const REFUSES_ONE_PIECE = new Set([404, 405, 411, 413, 415, 416, 501]);

export async function upload(job: Upload): Promise<void> {
  let session = job.session;
  for (let attempts = 0; ; attempts++) {
    const fault = await inOnePiece(job, session ?? (await begin(job)).url);
    if (fault === undefined) return;
    if (fault === 'refused') return uploadInChunks(job);
    session = undefined;
    const wait = waitAfter(fault, attempts, job.retry);
    if (wait === undefined) throw fault;
    await pause(wait, job.options.signal);
  }
}

type Outcome = 'refused' | OciError | undefined;

async function inOnePiece(job: Upload, session: URL): Promise<Outcome> {
  const { client, descriptor, scopes, options } = job;
  const source: SourceState = {};
  try {
    const answer = await client.send({
      method: 'PUT',
      path: withDigest(session, descriptor),
      scopes,
      headers: OCTETS,
      body: {
        size: descriptor.size,
        open: async () => sending(job, source),
      },
      retry: false,
      signal: options.signal,
    });
    if (answer.status === 201 || answer.status === 204) return undefined;
    if (REFUSES_ONE_PIECE.has(answer.status) && descriptor.size > 0) return 'refused';
    return registryError(answer, describeSubject(descriptor));
  } catch (error) {
    if (source.fault !== undefined) throw source.fault;
    if (isRetryable(error)) return error;
    throw error;
  }
}

/** Error of the source. It has its own retries, so the upload is not repeated for it. */
interface SourceState {
  fault?: unknown;
}

async function* sending(
  job: Upload,
  source: SourceState,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { options, descriptor } = job;
  let seen = 0;
  try {
    for await (const chunk of await job.open({ signal: options.signal })) {
      seen += chunk.byteLength;
      // Bytes beyond Content-Length would be parsed as the next request on this connection.
      if (seen > descriptor.size) throw sizeMismatch(descriptor);
      yield chunk;
      options.onBytes?.(chunk.byteLength, 'moved');
    }
    if (seen < descriptor.size) throw truncated(descriptor, seen);
  } catch (error) {
    source.fault = error;
    throw error;
  }
}
