/** Servers for the tests of this folder: each does one thing wrong, on 127.0.0.1. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { type Certificate, sha256 } from '@portcullis/testing';
import { onTestFinished } from 'vitest';
import { openRepository } from '../named/named-repository.ts';
import type { Repository, RepositoryOptions } from '../repository.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface TestHttpServer {
  /** `127.0.0.1:port` */
  host: string;
  port: number;
  url: string;
  requests: SeenRequest[];
  /** Connections that were made so far. */
  connections(): number;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => unknown;

export async function startServer(
  handler: Handler,
  certificate?: Certificate,
): Promise<TestHttpServer> {
  const requests: SeenRequest[] = [];
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks) };
    requests.push(request);
    await handler(request, response);
  };
  const server = certificate
    ? createTlsServer({ cert: certificate.certificate, key: certificate.key }, listener)
    : createServer(listener);
  let connections = 0;
  server.on(certificate ? 'secureConnection' : 'connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  const host = `127.0.0.1:${port}`;
  return {
    host,
    port,
    url: `${certificate ? 'https' : 'http'}://${host}`,
    requests,
    connections: () => connections,
  };
}

/** Sends the given bytes unchanged. */
export async function startRawServer(
  onRequest: (socket: Socket, head: string) => void,
): Promise<TestHttpServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.endsWith('\r\n\r\n')) return;
      const request = head;
      head = '';
      onRequest(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return { host, port, url: `http://${host}`, requests: [], connections: () => connections };
}

/** A forward proxy: CONNECT for TLS, whole URLs for plain HTTP. `resolve` plays its DNS. */
export async function startProxy(
  resolve: (host: string) => string,
): Promise<TestHttpServer & { targets: string[] }> {
  const targets: string[] = [];
  const server = createServer((_, response) => response.writeHead(500).end());
  const requests: SeenRequest[] = [];
  const seen = ({ method = '', url = '', headers }: IncomingMessage) => {
    requests.push({ method, url, headers, body: Buffer.alloc(0) });
  };
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen(request);
    targets.push(request.url ?? '');
    const [host, port] = resolve(request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [socket, upstream])
      each.on('error', () => [socket, upstream].map((end) => end.destroy()));
  });
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    seen(request);
    targets.push(request.url ?? '');
    response.end(`proxied ${request.url}`);
  });
  const port = await listen(server);
  const host = `127.0.0.1:${port}`;
  return { host, port, url: `http://${host}`, requests, targets, connections: () => 0 };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Retries quickly, to keep tests short. */
export function transportOf(options: TransportOptions = {}): Transport {
  const transport = createTransport({ retryBaseMs: 5, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

export function repositoryAt(
  server: { host: string },
  options: Partial<RepositoryOptions> = {},
): Repository {
  const common = {
    host: server.host,
    repository: 'team/app',
    tls: 'off',
    transport: transportOf(),
  } as const;
  return openRepository({ ...common, ...options });
}

export function json(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value));
}

export function blobDescriptor(bytes: Uint8Array) {
  return { mediaType: 'application/octet-stream', digest: sha256(bytes), size: bytes.byteLength };
}
