import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedTransports, type GuardedTransports } from './guarded-transports.ts';
import type { Lookup } from './lookup.ts';
import { startServer } from './server.contract.ts';

const INNER = [
  'postgresql://db.internal/app',
  'rediss://cache.internal',
  'https://registry.internal',
];

interface Lists {
  allow?: string[];
  deny?: string[];
  storeOrigins?: string[];
  internalSocket?: { origin: string; path: string };
}

async function waysOut(own: string[], lists: Lists = {}): Promise<GuardedTransports> {
  const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const opened = await createGuardedTransports({
    own,
    allow: lists.allow ?? [],
    deny: lists.deny ?? [],
    storeOrigins: lists.storeOrigins ?? [],
    internalSocket: lists.internalSocket,
    proxy: () => undefined,
    transport: { retries: 0 },
    lookup,
  });
  onTestFinished(() => opened.close());
  return opened;
}

const get = (url: string) => ({
  method: 'GET' as const,
  url: new URL(url),
  trust: { verify: true },
});

describe('guarded transports', () => {
  it.each([
    ['http://db.internal:5432', 'the database at its default port'],
    ['http://cache.internal:6379', 'redis at its default port'],
    ['https://registry.internal', 'the registry at its default port'],
    ['http://127.0.0.1:5432', 'the database by its address'],
  ])('%s is always refused: %s', async (url) => {
    const ways = await waysOut(INNER, { allow: ['127.0.0.1'] });
    for (const privateAllowed of [true, false])
      await expect(ways.external(privateAllowed).send(get(url))).rejects.toMatchObject({
        kind: 'forbidden',
      });
  });

  it('allow private addresses only with privateAllowed', async () => {
    const server = await startServer((_, response) => response.end('ok'));
    const ways = await waysOut(INNER);
    expect((await ways.external(true).send(get(server.url))).status).toBe(200);
    await expect(ways.external(false).send(get(server.url))).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('the internal transport reaches what the external ones refuse', async () => {
    const server = await startServer((_, response) => response.end('ok'));
    const ways = await waysOut([server.url]);
    expect((await ways.internal.send(get(server.url))).status).toBe(200);
    await expect(ways.external(true).send(get(server.url))).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('O16: the registry may redirect to its named store, and nowhere else', async () => {
    const store = await startServer((_, response) => response.end('bytes'));
    const registry = await startServer((_, response) => {
      response.writeHead(307, { location: `${store.url}/blob?signature=secret` }).end();
    });
    const open = await waysOut([registry.url], { storeOrigins: [new URL(store.url).origin] });
    expect((await open.internal.send(get(registry.url))).body.toString()).toBe('bytes');
    const closed = await waysOut([registry.url], { storeOrigins: ['http://127.0.0.1:1'] });
    const refused = await closed.internal.send(get(registry.url)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(String(refused)).not.toContain('signature');
  });

  it('the registry is reached by its Unix socket, and its store by its host', async () => {
    const store = await startServer((_, response) => response.end('bytes'));
    const dir = await mkdtemp(join(tmpdir(), 'portcullis-test-'));
    const path = join(dir, 'registry.sock');
    let requests = 0;
    const registry = createServer(({ url, headers: { host } }, response) => {
      requests += 1;
      if (url === '/blob') response.writeHead(307, { location: `${store.url}/blob` });
      response.end(host);
    }).listen(path);
    await once(registry, 'listening');
    onTestFinished(async () => {
      registry.close();
      await rm(dir, { recursive: true });
    });
    const origin = 'http://registry.localhost';
    const storeOrigins = [new URL(store.url).origin];
    const ways = await waysOut([], { storeOrigins, internalSocket: { origin, path } });
    expect((await ways.internal.send(get(`${origin}/v2/`))).body.toString()).toBe(
      'registry.localhost',
    );
    expect((await ways.internal.send(get(`${origin}/blob`))).body.toString()).toBe('bytes');
    const opened = await ways.internal.open(get(`${origin}/v2/`));
    const chunks: string[] = [];
    for await (const chunk of opened.chunks) chunks.push(Buffer.from(chunk).toString());
    expect(chunks.join('')).toBe('registry.localhost');
    const before = requests;
    await ways
      .external(true)
      .send(get(`${origin}/v2/`))
      .catch(() => undefined); // whatever listens on port 80
    expect(requests).toBe(before);
  });
});
