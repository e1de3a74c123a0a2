import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseRegistryUrl, registrySocketUrl } from '@portcullis/local-registry';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { relayRepository } from './registry-relay.ts';

const REAL = { username: 'portcullis', password: 'the real one' };

let dir: TemporaryDir;
let received: string[];
let server: ReturnType<typeof createServer>;
let relay: Awaited<ReturnType<typeof relayRepository>>;

beforeEach(async () => {
  dir = await temporaryDir();
  received = [];
  const socketPath = join(dir.path, 'registry.sock');
  server = createServer(({ method, url, headers }, response) => {
    received.push(`${method} ${url} ${headers.authorization} ${headers.accept} ${headers.cookie}`);
    response.setHeader('content-type', 'text/x-kind').end('bytes');
  }).listen(socketPath);
  await once(server, 'listening');
  const address = parseRegistryUrl(registrySocketUrl({ socketPath, credentials: REAL }));
  relay = await relayRepository(address, 'mirror/trivy-db:2');
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  server.close();
  await dir.remove();
});

const basic = ({ username, password }: typeof REAL) => `Basic ${btoa(`${username}:${password}`)}`;

function ask(path: string, init: { method?: string; authorization?: string } = {}) {
  const { method = 'GET', authorization = basic(relay.credentials) } = init;
  const [host = ''] = relay.repository.split('/');
  const headers = { authorization, accept: 'text/x-kind', cookie: 'none of its business' };
  return fetch(`http://${host}${path}`, { method, headers });
}

it('the download uses the registry’s credentials without seeing them', async () => {
  expect(relay.repository).toMatch(/^127\.0\.0\.1:\d+\/mirror\/trivy-db:2$/);
  const answer = await ask('/v2/mirror/trivy-db/manifests/2');
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'text/x-kind',
    'bytes',
  ]);
  expect(received).toEqual([
    `GET /v2/mirror/trivy-db/manifests/2 ${basic(REAL)} text/x-kind undefined`,
  ]);
  expect(JSON.stringify(relay)).not.toContain(REAL.password);
});

it.each([
  ['without a login', '/v2/', { authorization: '' }, 401],
  [
    'with a guess',
    '/v2/',
    { authorization: basic({ username: 'download', password: 'guess' }) },
    401,
  ],
  ['with the real credentials', '/v2/', { authorization: basic(REAL) }, 401],
  ['that writes', '/v2/mirror/trivy-db/manifests/2', { method: 'PUT' }, 404],
  ['of another repository', '/v2/secret/app/manifests/1', {}, 404],
  [
    'with a path that leaves the repository',
    '/v2/mirror/trivy-db/../../secret/app/manifests/1',
    {},
    404,
  ],
  ['of the catalog', '/v2/_catalog', {}, 404],
])('a request %s does not reach the registry', async (_, path, init, status) => {
  expect((await ask(path, init)).status).toBe(status);
  expect(received).toEqual([]);
});

it('an unreachable registry ends the response instead of letting the download wait', async () => {
  server.close();
  server.closeAllConnections();
  await expect(ask('/v2/')).rejects.toThrow();
});
