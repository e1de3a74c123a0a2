/** Requests to a running `trivy server` (Twirp over HTTP with JSON). */
import { randomUUID } from 'node:crypto';
import { unavailable } from '@portcullis/errors';
import { z } from 'zod';
import type { ServerProcess } from './server-process.ts';

export interface ScanQuestion {
  /** The name under which the results refer to the image. */
  target: string;
  artifact: string;
  layers: readonly string[];
}

const SCAN = '/twirp/trivy.scanner.v1.Scanner/Scan';
const TIMEOUT_MS = 120_000;
/** A report of a few megabytes is large. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Trivy's keys without the prefix that its cache adds in Redis. */
function cacheId(key: string): string {
  return key.replace(/^fanal::(?:blob|artifact)::/, '');
}

/** @throws unavailable `REMATCH_FAILED` */
export async function ask(
  server: ServerProcess,
  { target, artifact, layers }: ScanQuestion,
  signal?: AbortSignal,
): Promise<Buffer> {
  const body = JSON.stringify({
    target,
    artifact_id: cacheId(artifact),
    blob_ids: layers.map(cacheId),
    options: { pkg_types: ['os', 'library'], scanners: ['vuln'] },
  });
  return request(server, SCAN, { method: 'POST', body, signal });
}

const MARK_TIMEOUT_MS = 10_000;

/**
 * The number of the server's warnings up to its last answer. It writes each word that is no
 * relationship of packages to standard error, as a line after all earlier ones, and an image
 * without layers is compared with nothing.
 *
 * @throws unavailable `REMATCH_FAILED`
 */
export async function countWarnings(server: ServerProcess, signal?: AbortSignal): Promise<number> {
  const mark = `mark-${randomUUID()}`;
  const limit = AbortSignal.timeout(MARK_TIMEOUT_MS);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  const body = JSON.stringify({ options: { pkg_relationships: [mark] } });
  const [count] = await Promise.all([
    server.warnings.countBefore(mark, either),
    request(server, SCAN, { method: 'POST', body, signal: either }),
  ]);
  return count;
}

const Version = z.object({
  Version: z.string(),
  VulnerabilityDB: z.object({ UpdatedAt: z.string() }),
});

/** The server's version and the date of its database. */
export async function askVersion(server: ServerProcess): Promise<z.infer<typeof Version>> {
  return Version.parse(
    JSON.parse((await request(server, '/version', { method: 'GET' })).toString()),
  );
}

interface Request {
  method: 'GET' | 'POST';
  body?: string;
  signal?: AbortSignal | undefined;
}

async function request(
  { url, token }: ServerProcess,
  path: string,
  { signal, ...rest }: Request,
): Promise<Buffer> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(url + path, {
      ...rest,
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'trivy-token': token,
      },
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const bytes = await readBounded(answer);
    if (!answer.ok) throw new Error(`${answer.status}: ${bytes.toString('utf8', 0, 2_000)}`);
    return bytes;
  } catch (cause) {
    signal?.throwIfAborted();
    throw unavailable('REMATCH_FAILED', "the scanner's server did not answer", { cause });
  }
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
