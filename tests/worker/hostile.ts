/**
 * A minimal registry over images in memory that misbehaves on demand: the test sees each request
 * first and may answer it with any bytes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { everything, type TestBlob, type TestImage } from '@portcullis/testing';

export interface HostileRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  kind: 'base' | 'manifest' | 'blob' | 'other';
  /** The response of a correct registry. */
  content: TestBlob | undefined;
}

/** True where it answered, or where there will be no answer. */
export type Hostility = (request: HostileRequest, response: ServerResponse) => boolean | undefined;

export interface HostileRegistry extends AsyncDisposable {
  host: string;
  url: string;
  seen: HostileRequest[];
}

/** Every repository has these images: the first one under every tag, all of them by digest. */
export async function startHostile(
  images: TestImage[],
  behave: Hostility,
): Promise<HostileRegistry> {
  const contents = new Map<string, TestBlob>(
    images.flatMap(everything).map((content) => [content.descriptor.digest, content]),
  );
  const [first] = images;
  const seen: HostileRequest[] = [];
  const server = createServer((incoming, response) => {
    incoming.resume();
    const request = requestOf(incoming, (reference) => contents.get(reference), first);
    seen.push(request);
    if (!behave(request, response)) answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function requestOf(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  contentOf: (reference: string) => TestBlob | undefined,
  first: TestImage | undefined,
): HostileRequest {
  const [, part = '', reference = ''] = /^\/v2\/.*\/(manifests|blobs)\/([^/?]+)/.exec(url) ?? [];
  const kind =
    part === 'manifests'
      ? 'manifest'
      : part === 'blobs'
        ? 'blob'
        : url === '/v2/'
          ? 'base'
          : 'other';
  const tagged = kind === 'manifest' && !reference.includes(':') ? first : undefined;
  return { method, path: url, headers, kind, content: tagged ?? contentOf(reference) };
}

function answer(
  { method, kind, headers, content }: HostileRequest,
  response: ServerResponse,
): void {
  if (kind === 'base') return void response.writeHead(200).end('{}');
  if (!content) return void response.writeHead(404).end();
  const { bytes, descriptor } = content;
  const from = kind === 'blob' ? Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
  if (from > 0 && from >= bytes.length) return void response.writeHead(416).end();
  const part = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-type': kind === 'blob' ? 'application/octet-stream' : descriptor.mediaType,
    'content-length': part.length,
    'docker-content-digest': descriptor.digest,
    ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  response.end(method === 'HEAD' ? undefined : part);
}
