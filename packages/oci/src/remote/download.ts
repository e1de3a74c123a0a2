/**
 * Reads a blob. When the connection breaks in the middle, the rest is asked for with `Range`; the reader doesn't
 * notice. The bytes are the reader's to verify (`verified`).
 */
import { type AppError, invalid, isAppError, unavailable } from '@portcullis/errors';
import type { Content, FetchOptions } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import type { RegistryClient } from './client.ts';
import { registryError } from './errors.ts';
import type { Headers } from './http/response-head.ts';
import { isRetryable, nextWaitMs, pause, policyAfter, type RetryPolicy } from './http/retry.ts';
import type { OpenAnswer } from './http/transport.ts';

export interface Download {
  client: RegistryClient;
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

/** What is asked for: from its first byte up to `end`, or to that of the blob. */
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
    const fault = yield* passOn(part, position, (bytes) => (position += bytes));
    // Short of its size without a fault: either HTTP/1.0 hides the cut, or the blob isn't what it should be.
    if (fault === undefined && (position >= (end ?? blob.descriptor.size) || attempts > 0)) return;
    if (fault !== undefined && !isRetryable(fault)) throw fault;
    // Progress makes a new start: only a connection that brings next to nothing counts against the limit.
    if (position - before >= leastProgress(blob.descriptor.size - before)) attempts = 0;
    const wait = nextWaitMs(attempts, fault ? policyAfter(fault, blob.retry) : blob.retry);
    if (wait === undefined) throw fault;
    await pause(wait, signal);
    part = await openPart(blob, { offset: position, end }, signal);
    onPart(part);
  }
}

/** A server that sends a byte and hangs up must not be asked for the next one as often as it likes. */
function leastProgress(left: number): number {
  return Math.max(1, Math.min(PROGRESS_BYTES, left / 4));
}

/** The bytes of a part from `position` on; gives the fault that ended it, if one did. */
async function* passOn(
  { answer, offset }: Part,
  position: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, AppError | undefined, undefined> {
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
    if (isAppError(error)) return error;
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
  assertStatedSize(answer, offset, descriptor);
  // A registry that doesn't know ranges sends it all; what was delivered is skipped.
  if (answer.status === 200) return { answer, offset: 0 };
  if (answer.status === 206 && range !== undefined && startsAt(answer, offset))
    return { answer, offset };
  throw await refusal(answer, `the blob ${descriptor.digest}`);
}

/** Said before the first byte is read, and where there is none left to ask for (RFC 9110 § 15.5.17). */
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
  const total = numberIn(/\/(\d+)$/, headers['content-range']);
  if (status === 206) return total;
  // All that was there has been read already.
  return status === 416 ? (total ?? offset) : undefined;
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
    `${url.host} sent another part of a blob than was asked for`,
  );
}

async function refusal(answer: OpenAnswer, what: string): Promise<AppError> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.chunks) {
      chunks.push(new Uint8Array(chunk));
      size += chunk.byteLength;
      if (size > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status says enough; its explanation was cut.
  }
  return registryError({ ...answer, body: Buffer.concat(chunks) }, what);
}
