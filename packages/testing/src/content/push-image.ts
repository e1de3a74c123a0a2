/** A minimal registry client for tests, independent of the one under test. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TestBlob, TestImage } from './image.ts';

export interface ClientOptions {
  credentials?: { username: string; password: string } | undefined;
  /** Certificate to trust, PEM. */
  ca?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** Pushes children first, the tag last. Without a tag the root is pushed by digest. */
export async function pushImage(
  registryUrl: string,
  repository: string,
  tag: string | null,
  image: TestImage,
  options: ClientOptions = {},
): Promise<void> {
  for (const blob of image.blobs) await pushBlob(registryUrl, repository, blob, options);
  for (const child of image.children)
    await pushImage(registryUrl, repository, null, child, options);
  const url = new URL(`/v2/${repository}/manifests/${tag ?? image.digest}`, registryUrl);
  await expectStatus(201, 'PUT', url, {
    ...options,
    body: image.bytes,
    type: image.descriptor.mediaType,
  });
}

export async function pushBlob(
  registryUrl: string,
  repository: string,
  blob: TestBlob,
  options: ClientOptions = {},
): Promise<void> {
  const { digest } = blob.descriptor;
  const there = await send(
    'HEAD',
    new URL(`/v2/${repository}/blobs/${digest}`, registryUrl),
    options,
  );
  if (there.status === 200) return;
  const start = new URL(`/v2/${repository}/blobs/uploads/`, registryUrl);
  const session = await expectStatus(202, 'POST', start, options);
  const put = new URL(session.headers.location ?? '', start);
  put.searchParams.set('digest', digest);
  await expectStatus(201, 'PUT', put, {
    ...options,
    body: blob.bytes,
    type: 'application/octet-stream',
  });
}

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Fetches a manifest by tag or digest, with its headers. */
export function fetchManifest(
  registryUrl: string,
  repository: string,
  reference: string,
  options: ClientOptions = {},
): Promise<Answer> {
  const headers = { accept: ACCEPT, ...options.headers };
  return send('GET', new URL(`/v2/${repository}/manifests/${reference}`, registryUrl), {
    ...options,
    headers,
  });
}

const ACCEPT = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');

interface Sending extends ClientOptions {
  body?: Uint8Array;
  type?: string;
}

async function expectStatus(
  status: number,
  method: string,
  url: URL,
  sending: Sending,
): Promise<Answer> {
  const answer = await send(method, url, sending);
  if (answer.status === status) return answer;
  throw new Error(
    `${method} ${url.pathname}: ${answer.status} instead of ${status}: ${answer.body.toString().slice(0, 500)}`,
  );
}

function send(
  method: string,
  url: URL,
  { credentials, ca, headers, body, type }: Sending,
): Promise<Answer> {
  const start = url.protocol === 'https:' ? requestHttps : requestHttp;
  const auth = credentials && `${credentials.username}:${credentials.password}`;
  const sent = {
    ...(type && { 'content-type': type }),
    'content-length': body?.length ?? 0,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const request = start(
      url,
      { method, ca, agent: false, auth: auth ?? null, headers: sent },
      async (response) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          resolve({
            status: response.statusCode ?? 0,
            headers: flat(response.headers),
            body: Buffer.concat(chunks),
          });
        } catch (error) {
          reject(error);
        }
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value?.toString()]),
  );
}
