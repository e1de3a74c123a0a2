/** Compression of replies, over a real connection. */
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressReplies } from './compress.ts';

const LONG = { items: Array.from({ length: 200 }, (_, at) => ({ name: `image-${at}` })) };
let server: Server;

beforeAll(async () => {
  const app = express();
  app.use('/api', compressReplies());
  app.get(['/api/jobs', '/api/auth/me', '/api/authors'], (_, response) => response.json(LONG));
  app.get('/api/short', (_, response) => response.json({ ok: true }));
  app.get('/api/report', (_, response) => {
    response.type('image/png').send(Buffer.alloc(5_000, 'x'));
  });
  app.get('/api/events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${'x'.repeat(2_000)}\n\n`);
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

async function ask(path: string, accepted: string) {
  const { port } = server.address() as AddressInfo;
  const headers = { 'accept-encoding': accepted };
  const asked = request({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = await once(asked, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk);
    if (path === '/api/events') break;
  }
  asked.destroy();
  const { 'content-encoding': encoding, vary } = response.headers;
  return { encoding, vary, body: Buffer.concat(chunks) };
}

describe('a reply', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('is compressed for a client that accepts %s', async (accepted, encoding, unpack) => {
    const reply = await ask('/api/jobs', accepted);
    expect(reply).toMatchObject({ encoding, vary: 'Accept-Encoding' });
    expect(JSON.parse(unpack(reply.body).toString())).toEqual(LONG);
    expect(reply.body.length).toBeLessThan(JSON.stringify(LONG).length / 4);
  });

  it.each([
    ['to a client that accepts none', '/api/jobs', 'identity'],
    ['that is short', '/api/short', 'gzip'],
    ['that is no text', '/api/report', 'gzip'],
    ['about the session', '/api/auth/me', 'gzip'],
    ['of events, whose first is there at once', '/api/events', 'gzip'],
  ])('%s is sent as it is', async (_, path, accepted) => {
    expect((await ask(path, accepted)).encoding).toBeUndefined();
  });

  it('of another path that begins alike is compressed', async () => {
    expect((await ask('/api/authors', 'gzip')).encoding).toBe('gzip');
  });
});
