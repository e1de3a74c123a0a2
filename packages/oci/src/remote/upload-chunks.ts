/**
 * Uploads a blob in chunks (distribution spec § Pushing a blob in chunks). Each chunk is held in
 * memory, so that it can be sent again if its response was lost and the registry did not store it.
 */

import type { Descriptor } from '../model/descriptor.ts';
import { invalid, unavailable } from '../oci-error.ts';
import { bodyOf } from './auth/token.ts';
import { ChunkReader } from './chunk-reader.ts';
import type { HttpResponse } from './http/message.ts';
import { isRetryable, nextWaitMs, pause } from './http/retry.ts';
import { registryError } from './registry-error.ts';
import {
  begin,
  describeSubject,
  locationOf,
  OCTETS,
  type Upload,
  type UploadSession,
  waitAfter,
  withDigest,
} from './upload-session.ts';

const CHUNK_BYTES = 8 * 1024 * 1024;
const MAX_CHUNK_BYTES = 128 * 1024 * 1024;
/** 1 MiB is the usual body limit of reverse proxies. */
const LEAST_CHUNK_BYTES = 1024 * 1024 - 1;
/** How often per upload a registry may lose bytes or request the same chunk again. */
const MAX_STEPS_BACK = 8;

export async function uploadInChunks(job: Upload): Promise<void> {
  const { descriptor, options } = job;
  const begun = await begin(job);
  let session = begun.url;
  let limit = chunkSize(begun);
  let offset = 0;
  let stepsBack = 0;
  const reader = new ChunkReader(job, descriptor.size);
  try {
    while (offset < descriptor.size) {
      const chunk = await reader.at(offset, limit);
      const sent = await sendChunk(job, session, offset, chunk);
      if (sent === 'too-large') {
        limit = smaller(limit, descriptor);
        continue;
      }
      if (sent.offset <= offset) stepsBack += 1;
      if (sent.offset > offset + chunk.byteLength || stepsBack > MAX_STEPS_BACK)
        throw invalidOffset(sent);
      session = sent.session;
      options.onBytes?.(Math.max(0, sent.offset - offset), 'moved');
      offset = sent.offset;
    }
  } finally {
    reader.cancel();
  }
  await finish(job, session);
}

function chunkSize({ leastChunk }: UploadSession): number {
  return Math.min(Math.max(CHUNK_BYTES, leastChunk), MAX_CHUNK_BYTES);
}

function smaller(limit: number, descriptor: Descriptor): number {
  if (limit <= LEAST_CHUNK_BYTES) {
    throw invalid(
      'REGISTRY_REFUSED',
      `the registry accepts ${describeSubject(descriptor)} neither as a whole nor in small chunks`,
    );
  }
  return Math.max(LEAST_CHUNK_BYTES, Math.floor(limit / 2));
}

function invalidOffset({ session: { host } }: Sent) {
  const message = `${host} reports an upload offset that does not match the bytes sent`;
  return unavailable('REGISTRY_ANSWER_INVALID', message, { detail: { host } });
}

interface Sent {
  session: URL;
  /** Bytes that the registry has stored. */
  offset: number;
}

async function sendChunk(
  job: Upload,
  session: URL,
  offset: number,
  chunk: Uint8Array,
): Promise<Sent | 'too-large'> {
  const { client, scopes, options, descriptor, retry } = job;
  const end = offset + chunk.byteLength;
  for (let attempts = 0, at = session; ; attempts++) {
    const outcome = await client
      .send({
        method: 'PATCH',
        path: at,
        scopes,
        headers: { ...OCTETS, 'content-range': `${offset}-${end - 1}` },
        body: bodyOf(chunk),
        retry: false,
        signal: options.signal,
      })
      .catch((error: unknown) => (isRetryable(error) ? error : Promise.reject(error)));
    if (!(outcome instanceof Error)) {
      if (outcome.status === 202)
        return { session: locationOf(outcome), offset: receivedOf(outcome) ?? end };
      if (outcome.status === 413) return 'too-large';
    }
    const fault =
      outcome instanceof Error ? outcome : registryError(outcome, describeSubject(descriptor));
    const outOfStep = !(outcome instanceof Error) && outcome.status === 416;
    const wait = outOfStep ? nextWaitMs(attempts, retry) : waitAfter(fault, attempts, retry);
    if (wait === undefined) throw fault;
    await pause(wait, options.signal);
    const state = await statusOf(job, at);
    if (state.offset !== offset) return state;
    at = state.session;
  }
}

/** Upload status, for a chunk whose response was lost. */
async function statusOf(
  { client, scopes, options, descriptor }: Upload,
  session: URL,
): Promise<Sent> {
  const answer = await client.send({
    method: 'GET',
    path: session,
    scopes,
    signal: options.signal,
  });
  if (answer.status !== 204) throw registryError(answer, describeSubject(descriptor));
  const at = answer.headers.location === undefined ? session : locationOf(answer);
  return { session: at, offset: receivedOf(answer) ?? 0 };
}

/**
 * Parses `Range: 0-<last>`. `0-0` means no bytes: registries use it for none and one, and we never
 * send one.
 */
function receivedOf({ headers }: HttpResponse): number | undefined {
  const match = /^(?:bytes=)?0-(\d+)$/.exec(headers.range ?? '');
  if (!match) return undefined;
  return match[1] === '0' ? 0 : Number(match[1]) + 1;
}

async function finish(
  { client, scopes, descriptor, options }: Upload,
  session: URL,
): Promise<void> {
  const path = withDigest(session, descriptor);
  const answer = await client.send({
    method: 'PUT',
    path,
    scopes,
    headers: OCTETS,
    signal: options.signal,
  });
  if (answer.status !== 201 && answer.status !== 204)
    throw registryError(answer, describeSubject(descriptor));
}
