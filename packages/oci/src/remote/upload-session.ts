/** Upload session of a blob, shared by monolithic and chunked uploads. */

import type { Content, FetchOptions, PushOptions } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { type OciError, unavailable } from '../oci-error.ts';
import type { AuthorizedClient } from './client.ts';
import type { HttpResponse } from './http/message.ts';
import { isRetryable, nextWaitMs, policyAfter, type RetryPolicy } from './http/retry.ts';
import { registryError } from './registry-error.ts';

export interface Upload {
  client: AuthorizedClient;
  repository: string;
  scopes: readonly string[];
  descriptor: Descriptor;
  open: (options: FetchOptions) => Promise<Content>;
  options: PushOptions;
  retry: RetryPolicy;
  /** Session that the registry opened when it declined a mount. */
  session?: URL | undefined;
}

export interface UploadSession {
  url: URL;
  /** `OCI-Chunk-Min-Length` */
  leastChunk: number;
}

export const OCTETS = { 'content-type': 'application/octet-stream' };

/** Opens an upload session. */
export async function begin({
  client,
  repository,
  scopes,
  descriptor,
  options,
}: Upload): Promise<UploadSession> {
  const path = `${repository}/blobs/uploads/`;
  const answer = await client.send({ method: 'POST', path, scopes, signal: options.signal });
  if (answer.status !== 202) throw registryError(answer, describeSubject(descriptor));
  return {
    url: locationOf(answer),
    leastChunk: Number(answer.headers['oci-chunk-min-length']) || 0,
  };
}

/**
 * URL of the session. A registry behind a TLS proxy often sends http; credentials must not be sent
 * unencrypted.
 */
export function locationOf({ headers, url }: HttpResponse): URL {
  const location = URL.parse(headers.location ?? '', url.href);
  if (!headers.location || !location || !/^https?:$/.test(location.protocol)) {
    throw unavailable(
      'REGISTRY_ANSWER_INVALID',
      `${url.host} opened an upload without a valid Location`,
    );
  }
  if (url.protocol === 'https:' && location.protocol === 'http:') {
    location.protocol = 'https:';
    if (location.hostname === url.hostname) location.port = url.port;
  }
  return location;
}

export function waitAfter(
  fault: OciError,
  attempts: number,
  retry: RetryPolicy,
): number | undefined {
  return isRetryable(fault)
    ? nextWaitMs(attempts, policyAfter(fault, retry), fault.retryAfter)
    : undefined;
}

/** Appends the digest and keeps the query of the session unchanged. */
export function withDigest(session: URL, { digest }: Descriptor): URL {
  const url = new URL(session);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}digest=${encodeURIComponent(digest)}`;
  return url;
}

export function describeSubject({ digest }: Descriptor): string {
  return `the upload of ${digest}`;
}
