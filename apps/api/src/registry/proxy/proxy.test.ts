/** What is forwarded for a client that sends several requests at once on one connection. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type Request, type Response } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from '../parse.ts';
import { createRegistryProxy } from './proxy.ts';

async function listening(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const DIGEST = `sha256:${'a'.repeat(64)}`;

it.each([
  ['PUT', '/v2/team/app/manifests/1'],
  ['DELETE', `/v2/team/app/manifests/${DIGEST}`],
  ['HEAD', `/v2/team/app/blobs/${DIGEST}`],
  ['POST', `/v2/team/app/blobs/uploads/?mount=${DIGEST}&from=team/other`],
  ['PUT', `/v2/team/app/blobs/uploads/0199d1f0-0000-7000-8000-000000000000?digest=${DIGEST}`],
])('%s %s ends although the response before it is not read', async (method, url) => {
  const registry = await listening((incoming, response) => {
    incoming.resume();
    response.writeHead(201, { 'content-length': method === 'HEAD' ? 9 : 2 }).end('{}');
  });
  const proxy = createRegistryProxy({
    registry: {
      base: new URL(`http://127.0.0.1:${registry.port}`),
      socketPath: null,
      credentials: null,
    },
    storeOrigins: [],
  });
  onTestFinished(() => proxy.close());
  const forwarded = Promise.withResolvers<void>();
  let first: Response | undefined;
  const app = express().use((request: Request, response: Response) => {
    if (request.url === '/first') {
      first = response;
      return;
    }
    const forwarding = {
      v2Request: parse(method, url),
      body: Buffer.alloc(0),
      answer: async () => ({ headers: { 'x-from': 'the registry' }, stages: [] }),
    };
    proxy.forward(request, response, forwarding).then(forwarded.resolve, forwarded.reject);
  });
  const { port } = await listening(app);
  const client = connect(port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const head = 'HTTP/1.1\r\nHost: x\r\n';
  client.write(`GET /first ${head}\r\n${method} ${url} ${head}Content-Length: 0\r\n\r\n`);
  await forwarded.promise;
  expect(first?.writableEnded).toBe(false);
  // Its reply follows once the first one was sent.
  first?.end('first');
  let received = '';
  for await (const chunk of client) {
    received += chunk;
    if (received.includes('x-from: the registry')) break;
  }
  expect(received).toMatch(/first/);
});
