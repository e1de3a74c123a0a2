/**
 * Access rule 5: whether a host is our own registry depends on what it connects to, not on its
 * spelling.
 */

import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, stagedAs, startApi, type TestApi } from '../api.fixture.ts';
import { answerOf } from './requests.fixture.ts';

let api: TestApi;
let outsiderId: string;
/** May use other registries but no folder: what succeeds was taken for external. */
let outsider: Client;
/** May use `team` but no other registry. */
let insider: Client;
let port: string;

beforeAll(async () => {
  api = await startApi({ PUBLIC_URL: 'https://registry.example.com' });
  const all = { canPullExternal: true, canPushExternal: true };
  outsiderId = await api.account('outsider');
  await api.grant(outsiderId, '__root__', all);
  await api.grant(await api.account('insider'), 'team', { canPull: true, canPush: true });
  [outsider, insider] = await Promise.all([api.as('outsider'), api.as('insider')]);
  port = api.host.split(':')[1] ?? '';
});
afterAll(() => api?.stop());

const NOT_HERE = [403, 'FOLDER_FORBIDDEN'];

function pull(client: Client, end: object) {
  return client.post('/api/staging/pull', { image: 'team/app', tag: '1', ...end });
}

async function push(client: Client, end: object) {
  const { id: ownerId } = await json(client.get('/api/auth/me'));
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id: job_id } = await api.store.jobs.insert({
    ownerId,
    image: 'team/app',
    tag: '1',
    source,
  });
  await api.store.jobs.update(job_id, stagedAs('clean'));
  return client.post('/api/staging/push', {
    job_id,
    target_image: 'team/app',
    target_tag: '1',
    ...end,
  });
}

/** Checks both ends, with the external and with the local account. */
async function expectOurs(host: string): Promise<void> {
  const [from, to] = [{ source_registry_host: host }, { external_registry_host: host }];
  expect([host, await answerOf(pull(outsider, from))]).toEqual([host, NOT_HERE]);
  expect([host, await answerOf(push(outsider, to))]).toEqual([host, NOT_HERE]);
  const source = { kind: 'registry', registry_id: '__local__', host: 'registry.example.com' };
  expect([host, await json(pull(insider, from))]).toMatchObject([host, { source }]);
  const pushed = { destination: 'registry.example.com/team/app:1', target_image: 'team/app' };
  expect([host, await json(push(insider, to))]).toMatchObject([host, { pushes: [pushed] }]);
}

function hereAs(hostname: string): string {
  return `${hostname}:${port}`;
}

describe('rule 5: our own registry by its spelling', () => {
  it.each([
    'registry.example.com',
    'REGISTRY.Example.COM',
    'registry.example.com.',
    'registry.example.com:443',
    'Registry.Example.Com.:443',
  ])('the public URL’s host as %s', expectOurs);

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'any.localhost',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.255.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7f00:1]',
    '[::127.0.0.1]',
  ])('this machine as %s', (hostname) => expectOurs(hereAs(hostname)));

  it('this machine by each address it has', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, family } of addresses.filter(({ scopeid }) => !scopeid)) {
      await expectOurs(hereAs(family === 'IPv6' ? `[${address}]` : address));
    }
  });

  it('the registry’s inner address', async () => {
    const inner = api.registry.host.split(':')[1];
    for (const hostname of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1']) {
      await expectOurs(`${hostname}:${inner}`);
    }
  });
});

describe('rule 5: our own registry by what a host connects to', () => {
  it('another port that forwards to us', async () => {
    const relay = createServer((socket) => {
      const through = connect(Number(port), '127.0.0.1');
      socket.pipe(through).pipe(socket);
      for (const end of [socket, through]) end.on('error', () => through.destroy());
    });
    await expectOurs(`127.0.0.1:${await listening(relay)}`);
  });

  it.each([301, 302, 307, 308])('a host that redirects (%d) to us', async (status) => {
    const redirector = createHttpServer((request, response) => {
      response.writeHead(status, { location: `${api.url}${request.url}` }).end();
    });
    await expectOurs(`127.0.0.1:${await listening(redirector)}`);
  });

  it('a saved registry that forwards to us, a private and a global one', async () => {
    for (const ownerId of [outsiderId, null]) {
      const { id } = await api.store.registries.insert({
        name: 'us',
        host: hereAs('127.1'),
        ownerId,
      });
      expect(await answerOf(pull(outsider, { source_registry_id: id }))).toEqual(NOT_HERE);
      expect(await answerOf(push(outsider, { external_registry_id: id }))).toEqual(NOT_HERE);
    }
  });

  it('a host with another installation’s mark, or none, is external', async () => {
    for (const mark of [{ 'portcullis-instance': 'f'.repeat(32) }, {}]) {
      const other = createHttpServer((_, response) => void response.writeHead(200, mark).end('{}'));
      const host = `127.0.0.1:${await listening(other)}`;
      expect((await pull(outsider, { source_registry_host: host })).status).toBe(202);
      expect((await push(outsider, { external_registry_host: host })).status).toBe(202);
      expect(await answerOf(pull(insider, { source_registry_host: host }))).toEqual([
        403,
        'PULL_EXTERNAL_FORBIDDEN',
      ]);
    }
  });
});

/** The server ends with the test. */
async function listening(server: Server | ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
