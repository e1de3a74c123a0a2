/**
 * Downloads a blob. After a broken connection it resumes with a `Range` request, transparently for
 * the reader. The bytes are not verified here; see `verified`.
 */

import type { Content, FetchOptions } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { invalid, isOciError, type OciError, unavailable } from '../oci-error.ts';
import type { AuthorizedClient } from './client.ts';
import type { Headers } from './http/response-head.ts';
import { isRetryable, nextWaitMs, pause, policyAfter, type RetryPolicy } from './http/retry.ts';
import type { OpenAnswer } from './http/transport.ts';
import { registryError } from './registry-error.ts';

export interface Download {
  client: Pick<AuthorizedClient, 'open'>;
  path: string;
  scopes: readonly string[];
  descriptor: Descriptor;
  retry: RetryPolicy;
}

interface Part {
  answer: OpenAnswer;
  /** Position of its first byte. */
  offset: number;
}

/** Requested range: from `offset` to `end`, or to the end of the blob. */
interface Span {
  offset: number;
  end: number | undefined;
}

const MAX_ERROR_BYTES = 64 * 1024;
const PROGRESS_BYTES = 64 * 1024;

export async function download(
  blob: Download,
  { offset = 0, length, signal }: FetchOptions,
): Promise<Content> {
  const end = length === undefined ? undefined : Math.min(blob.descriptor.size, offset + length);
  const first = await openPart(blob, { offset, end }, signal);
  let current = first;
  return {
    offset: first.offset,
    cancel: () => current.answer.cancel(),
    [Symbol.asyncIterator]: () =>
      resuming(blob, { first, end }, signal, (part) => (current = part)),
  };
}

async function* resuming(
  blob: Download,
  { first, end }: { first: Part; end: number | undefined },
  signal: AbortSignal | undefined,
  onPart: (part: Part) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = first.offset;
  let part = first;
  for (let attempts = 0; ; attempts++) {
    const before = position;
    const fault = yield* readPart(part, position, (bytes) => (position += bytes));
    // Too short without an error: either an HTTP/1.0 connection was cut, or the blob has another
    // size.
    if (fault === undefined && (position >= (end ?? blob.descriptor.size) || attempts > 0)) return;
    if (fault !== undefined && !isRetryable(fault)) throw fault;
    // Progress resets the retry count: only connections that transfer almost nothing count against
    // the limit.
    if (position - before >= leastProgress(blob.descriptor.size - before)) attempts = 0;
    const wait = nextWaitMs(attempts, fault ? policyAfter(fault, blob.retry) : blob.retry);
    if (wait === undefined) throw fault;
    await pause(wait, signal);
    part = await openPart(blob, { offset: position, end }, signal);
    onPart(part);
  }
}

/**
 * Minimum progress that resets the retry count; a server that sends one byte per connection must
 * not retry forever.
 */
function leastProgress(left: number): number {
  return Math.max(1, Math.min(PROGRESS_BYTES, left / 4));
}

/** Yields the bytes of a part from `position` on; returns the error that ended it, if any. */
async function* readPart(
  { answer, offset }: Part,
  position: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, OciError | undefined, undefined> {
  let skip = position - offset;
  try {
    for await (const chunk of answer.chunks) {
      const fresh = chunk.subarray(Math.min(skip, chunk.byteLength));
      skip -= chunk.byteLength - fresh.byteLength;
      if (fresh.byteLength === 0) continue;
      onBytes(fresh.byteLength);
      yield fresh;
    }
    return undefined;
  } catch (error) {
    if (isOciError(error)) return error;
    throw error;
  } finally {
    answer.cancel();
  }
}

async function openPart(
  blob: Download,
  span: Span,
  signal: AbortSignal | undefined,
): Promise<Part> {
  const { client, path, scopes, descriptor } = blob;
  const { offset } = span;
  const range = rangeOf(span);
  const headers: Headers = range === undefined ? {} : { range };
  const answer = await client.open({ path, scopes, headers, signal });
  const { end } = span;
  if (end === undefined && refusesOpenRange(answer, offset, descriptor)) {
    answer.cancel();
    return openPart(blob, { offset, end: descriptor.size }, signal);
  }
  assertStatedSize(answer, offset, descriptor);
  // A registry without range support sends the whole blob; the bytes already delivered are skipped.
  if (answer.status === 200) return { answer, offset: 0 };
  if (answer.status === 206 && range !== undefined && startsAt(answer, offset))
    return { answer, offset };
  throw await refusal(answer, `the blob ${descriptor.digest}`);
}

/**
 * Whether the registry answered as if a range without an end were past the end of the blob, without
 * saying how long the blob is. The registry of go-containerregistry knows only ranges with an end.
 */
function refusesOpenRange(answer: OpenAnswer, offset: number, { size }: Descriptor): boolean {
  return answer.status === 416 && offset < size && totalOf(answer) === undefined;
}

/**
 * Checks the size before the first byte is read, also for a range past the end (RFC 9110
 * § 15.5.17).
 */
function assertStatedSize(answer: OpenAnswer, offset: number, { digest, size }: Descriptor): void {
  const stated = statedSize(answer, offset);
  if (stated === undefined || stated === size) return;
  answer.cancel();
  const { host } = answer.url;
  throw invalid(
    'SIZE_MISMATCH',
    `${host} has ${stated} bytes of ${digest}; its manifest says ${size}`,
    {
      detail: { host, digest },
    },
  );
}

function statedSize({ status, headers }: OpenAnswer, offset: number): number | undefined {
  if (status === 200) return numberIn(/^(\d+)$/, headers['content-length']);
  const total = totalOf({ headers });
  if (status === 206) return total;
  // Status 416: all bytes have been read already.
  return status === 416 ? (total ?? offset) : undefined;
}

function totalOf({ headers }: Pick<OpenAnswer, 'headers'>): number | undefined {
  return numberIn(/\/(\d+)$/, headers['content-range']);
}

function numberIn(pattern: RegExp, text = ''): number | undefined {
  const digits = pattern.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function rangeOf({ offset, end }: Span): string | undefined {
  if (end !== undefined && end > offset) return `bytes=${offset}-${end - 1}`;
  return offset > 0 ? `bytes=${offset}-` : undefined;
}

function startsAt({ headers, url }: OpenAnswer, offset: number): boolean {
  const match = /^bytes (\d+)-\d+\/(?:\d+|\*)$/.exec(headers['content-range'] ?? '');
  if (match && Number(match[1]) === offset) return true;
  throw unavailable(
    'REGISTRY_ANSWER_INVALID',
    `${url.host} sent another range of a blob than requested`,
  );
}

async function refusal(answer: OpenAnswer, what: string): Promise<OciError> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.chunks) {
      chunks.push(new Uint8Array(chunk));
      size += chunk.byteLength;
      if (size > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status is sufficient; the body with the explanation was cut.
  }
  return registryError({ ...answer, body: Buffer.concat(chunks) }, what);
}
