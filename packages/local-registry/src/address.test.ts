import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRegistryUrl, registryAgent, registrySocketUrl, SOCKET_HOST } from './address.ts';
import { isHealthy } from './health.ts';

it.each([
  ['http://registry:5000', 'http://registry:5000/', null, null],
  [
    'https://me:a%3Ab@r.example.com/',
    'https://r.example.com/',
    null,
    { username: 'me', password: 'a:b' },
  ],
  ['http+unix://%2Frun%2Fr.sock', `http://${SOCKET_HOST}/`, '/run/r.sock', null],
  [
    'http+unix://me:word@%2FData%2Fr.sock',
    `http://${SOCKET_HOST}/`,
    '/Data/r.sock',
    { username: 'me', password: 'word' },
  ],
])(
  '%s is read as the base %s, the socket %s and the login %o',
  (url, base, socketPath, credentials) => {
    const address = parseRegistryUrl(url);
    expect({ ...address, base: address.base.href }).toEqual({ base, socketPath, credentials });
  },
);

it('the URL of a socket is parsed with any path and password', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(text, text, (path, password) => {
      const written = { socketPath: `/${path}`, credentials: { username: 'portcullis', password } };
      expect(parseRegistryUrl(registrySocketUrl(written))).toMatchObject(written);
    }),
  );
});

it('requests use the socket and no port, and the health check sends credentials when asked', async () => {
  await using dir = await temporaryDir();
  const socketPath = join(dir.path, 'r.sock');
  const headersSeen: [string | undefined, string | undefined][] = [];
  const server = createServer(({ headers: { host, authorization } }, response) => {
    headersSeen.push([host, authorization]);
    response.end();
  }).listen(socketPath);
  await once(server, 'listening');
  const credentials = { username: 'me', password: 'word' };
  expect(await isHealthy(registrySocketUrl({ socketPath, credentials }))).toBe(true);
  const agent = registryAgent(parseRegistryUrl(registrySocketUrl({ socketPath })), {
    keepAlive: true,
  });
  const [response] = await once(get(`http://${SOCKET_HOST}/v2/`, { agent }), 'response');
  response.resume();
  await once(response, 'end');
  agent.destroy();
  server.close();
  expect(headersSeen).toEqual([
    [SOCKET_HOST, `Basic ${btoa('me:word')}`],
    [SOCKET_HOST, undefined],
  ]);
  expect(await isHealthy(registrySocketUrl({ socketPath, credentials }))).toBe(false);
});
