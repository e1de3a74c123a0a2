/**
 * Client of a bucket of an S3-compatible store: listing, reading and deleting, which is all that a
 * garbage collection needs.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError, tooLarge, unavailable } from '@portcullis/errors';
import { AwsClient } from 'aws4fetch';
import {
  type BucketListing,
  errorCode,
  escapeXml,
  parseDeletion,
  parseListing,
} from './bucket-listing.ts';
import type { S3Credentials } from './shared-credentials.ts';
import { MAX_READ_BYTES } from './storage-files.ts';

export interface BucketOptions {
  bucket: string;
  region: string;
  /** URL of the store; defaults to Amazon's of the region. */
  endpoint?: string | undefined;
  /** Whether the bucket's name is in the path rather than in the host name. */
  pathStyle: boolean;
  credentials: S3Credentials;
  /** Keys per page, where fewer than the store's 1,000 are wanted. */
  pageSize?: number;
  signal: AbortSignal;
}

/** All methods throw unavailable `STORE_FAILED`, and the signal's reason. */
export interface Bucket {
  /**
   * Every page of the keys with a prefix; with a delimiter, deeper keys are grouped into one entry.
   */
  list(prefix: string, delimiter?: '/'): AsyncGenerator<BucketListing>;
  /** Null where the key does not exist. @throws tooLarge `FILE_TOO_LARGE` */
  read(key: string): Promise<Buffer | null>;
  remove(keys: readonly string[]): Promise<void>;
}

const RETRIES = 4;
const ANSWER_MS = 60_000;

export function openBucket(options: BucketOptions): Bucket {
  const { bucket, region, credentials, pageSize, signal } = options;
  const base = baseOf(options);
  // The client's own retries would ignore the signal.
  const client = new AwsClient({ ...credentials, service: 's3', region, retries: 0 });

  async function ask(url: URL, init: RequestInit = {}): Promise<Response> {
    for (let tries = 0; ; tries++) {
      signal.throwIfAborted();
      const either = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
      const answer = await client
        .fetch(url.href, { ...init, redirect: 'manual', signal: either })
        .catch((cause: unknown) => failed('did not answer', { cause }));
      signal.throwIfAborted();
      if (answer instanceof Response && answer.status < 500 && answer.status !== 429) return answer;
      const fault = answer instanceof Response ? await refusal(answer) : answer;
      if (tries === RETRIES) throw fault;
      await pause(2 ** tries * 200, signal);
    }
  }

  /** Only the code of the store's error is reported: its text may contain the request. */
  async function refusal(answer: Response): Promise<AppError> {
    const code = errorCode(await answer.text().catch(() => ''));
    return failed(`answered ${answer.status}${code === null ? '' : ` ${code}`}`);
  }

  function failed(what: string, options: { cause?: unknown } = {}): AppError {
    return unavailable('STORE_FAILED', `the store of the bucket ${bucket} ${what}`, options);
  }

  async function page(
    prefix: string,
    delimiter: '/' | undefined,
    token: string | null,
  ): Promise<BucketListing> {
    const url = new URL(base);
    url.searchParams.set('list-type', '2');
    url.searchParams.set('prefix', prefix);
    if (delimiter) url.searchParams.set('delimiter', delimiter);
    if (pageSize !== undefined) url.searchParams.set('max-keys', String(pageSize));
    if (token !== null) url.searchParams.set('continuation-token', token);
    const answer = await ask(url);
    if (answer.status !== 200) throw await refusal(answer);
    const listing = parseListing(await answer.text());
    if (listing === null) throw failed('gave a listing that can not be read');
    return listing;
  }

  return {
    async *list(prefix, delimiter) {
      for (let token: string | null = null; ; ) {
        const listing: BucketListing = await page(prefix, delimiter, token);
        yield listing;
        token = listing.next;
        if (token === null) return;
      }
    },
    async read(key) {
      const answer = await ask(objectUrl(base, key));
      if (answer.status === 404) {
        const code = errorCode(await answer.text());
        if (code === 'NoSuchKey') return null;
        throw failed(`answered 404 ${code ?? ''}`.trim());
      }
      if (answer.status !== 200) throw await refusal(answer);
      if (Number(answer.headers.get('content-length') ?? 0) > MAX_READ_BYTES) {
        await answer.body?.cancel();
        throw tooLarge('FILE_TOO_LARGE', `${key} has more than ${MAX_READ_BYTES} bytes`);
      }
      return Buffer.from(await answer.arrayBuffer());
    },
    async remove(keys) {
      const url = new URL(base);
      url.searchParams.set('delete', '');
      const objects = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('');
      const body = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects}</Delete>`;
      const headers = {
        'content-type': 'application/xml',
        'content-md5': createHash('md5').update(body).digest('base64'),
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
      };
      const answer = await ask(url, { method: 'POST', headers, body });
      if (answer.status !== 200) throw await refusal(answer);
      const faults = parseDeletion(await answer.text());
      if (faults === null) throw failed('gave an answer to a deletion that can not be read');
      const [first] = faults;
      if (first)
        throw failed(`did not delete ${faults.length} of ${keys.length} objects: ${first.code}`);
    },
  };
}

function baseOf({ bucket, region, endpoint, pathStyle }: BucketOptions): URL {
  const store = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) store.hostname = `${bucket}.${store.hostname}`;
  store.pathname = `${store.pathname.replace(/\/+$/, '')}/${pathStyle ? bucket : ''}`;
  return store;
}

function objectUrl(base: URL, key: string): URL {
  const path = key.split('/').map(encodeURIComponent).join('/');
  return new URL(`${base.pathname.replace(/\/+$/, '')}/${path}`, base.origin);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
