import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@portcullis/runtime';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestId } from '../http/client/request-id.ts';
import { errorHandler } from '../http/error-handler.ts';
import { webPage } from './web-page.ts';

const log = createLogger({ name: 'test', destination: { write: () => {} } });
let dir: string;
let servers: Server[] = [];

async function serve(from: string): Promise<string> {
  const app = express();
  app.use(
    requestId(log, () => 0),
    webPage(from),
    errorHandler,
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'web-page-'));
  await mkdir(path.join(dir, 'assets'));
  await writeFile(path.join(dir, 'index.html'), '<meta name="csp-nonce" content="__NONCE__">');
  await writeFile(path.join(dir, 'assets/app-1a2b.js'), 'go()');
  await writeFile(path.join(dir, 'assets/app-1a2b.js.gz'), gzipSync('go()'));
  await writeFile(path.join(dir, 'mark.svg'), '<svg/>');
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  await rm(dir, { recursive: true });
});

/** The header of Firefox for a navigation. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the web page', () => {
  it.each(['/', '/login', '/staging', '/staging/0199d1f0?x=1', '/v2nothing'])(
    '%s is the document to a browser, never kept by a cache',
    async (at) => {
      const response = await fetch((await serve(dir)) + at, { headers: { accept: BROWSER } });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-type')).toContain('text/html');
    },
  );

  it('is served to every client at /', async () => {
    expect((await fetch(await serve(dir))).status).toBe(200);
  });

  it.each([
    ['podman’s search', '/v1/search?q=x', BROWSER],
    ['docker’s old ping', '/v1/_ping', '*/*'],
    ['metadata', '/.well-known/openid-configuration', BROWSER],
    ['a token service', '/token', '*/*'],
    ['a token service', '/service/token', 'application/json'],
    ['an event', '/registry-events', ''],
    ['a page', '/staging', 'image/avif'],
  ])('G4: %s at %s with Accept: %j is a 404 in JSON', async (_, at, accept) => {
    const response = await fetch((await serve(dir)) + at, { headers: { accept } });
    expect([response.status, (await response.json()).code]).toEqual([404, 'ROUTE_UNKNOWN']);
  });

  it('allows no external host, no inline script, and only styles with the nonce of the reply', async () => {
    const url = await serve(dir);
    const [one, two] = await Promise.all([fetch(url), fetch(url)]);
    const nonce = /content="([^"]+)"/.exec(await one.text())?.[1];
    const policy = one.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(one.headers.get('permissions-policy')).toContain('camera=(), ');
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(two.headers.get('content-security-policy')).not.toBe(policy);
  });

  it('a file with a hash in its name is cached permanently, and served with its built compression', async () => {
    const response = await fetch(`${await serve(dir)}/assets/app-1a2b.js`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(await response.text()).toBe('go()');
  });

  it('a client that accepts no encoding gets the plain file', async () => {
    const headers = { 'accept-encoding': 'identity' };
    const response = await fetch(`${await serve(dir)}/assets/app-1a2b.js`, { headers });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe('go()');
  });

  it('a file without a hash is revalidated', async () => {
    const mark = `${await serve(dir)}/mark.svg`;
    const first = await fetch(mark);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    // As a browser asks; fetch alone would ask for no cache at all.
    const browser = { 'cache-control': 'max-age=0' };
    const again = await fetch(mark, { headers: { ...browser, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await fetch(mark, {
      headers: { ...browser, 'if-none-match': 'W/"other"' },
    });
    expect([other.status, await other.text()]).toEqual([200, '<svg/>']);
  });

  it.each([
    ['a removed chunk', '/assets/app-old.js', 'GET'],
    ['a path outside of what was built', '/assets/..%2f..%2fetc/passwd', 'GET'],
    ['anything but a read', '/staging', 'POST'],
  ])('%s is a 404', async (_, at, method) => {
    const response = await fetch((await serve(dir)) + at, { method });
    expect([response.status, (await response.json()).code]).toEqual([404, 'ROUTE_UNKNOWN']);
  });

  it('without a build there is a plain-text hint', async () => {
    const response = await fetch(await serve(path.join(dir, 'nowhere')));
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('was not built');
  });
});
