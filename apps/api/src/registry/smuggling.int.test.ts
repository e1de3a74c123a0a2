/**
 * Whatever a client sends, the registry receives requests only under the repository that was
 * authorized.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { basic, fakeRegistry, type ServedV2, serveV2 } from './v2.fixture.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

let registry: Awaited<ReturnType<typeof fakeRegistry>>;
let v2: ServedV2;
/** The requests that reached the registry. */
let received: { url: string; agent: string | undefined }[] = [];

beforeAll(async () => {
  registry = await fakeRegistry((request, response) => {
    received.push({ url: request.url ?? '', agent: request.headers['user-agent'] });
    request.resume().once('end', () => {
      const type = 'application/vnd.oci.image.manifest.v1+json';
      response.writeHead(200, { 'content-type': type, 'docker-content-digest': DIGEST });
      response.end('{}');
    });
  });
  v2 = await serveV2(registry.url);
});

afterAll(async () => {
  await v2?.stop();
  await registry?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  received = [];
});

const word = fc.constantFrom(
  'team',
  'secret',
  'app',
  'a-b',
  'manifests',
  'blobs',
  'uploads',
  'tags',
  'list',
);
const odd = fc.constantFrom(
  '',
  '.',
  '..',
  '...',
  '%2e%2e',
  '%2E.',
  '..%2f..',
  'app%2f..%2f..%2fsecret',
  '%252f',
  '..%5c..',
  '..\\..',
  '..;',
  'Team',
  'téam',
  '%00',
  '%0d%0a',
  '‥',
  '／',
  '@',
  ':',
  '*',
  '~',
  '__root__',
  'v2',
  '#',
);
const end = fc.constantFrom(
  'manifests/latest',
  `manifests/${DIGEST}`,
  `blobs/${DIGEST}`,
  'blobs/uploads/',
  'blobs/uploads/u-1',
  'tags/list',
  `referrers/${DIGEST}`,
  'tags/list/',
  '../secret/app/manifests/latest',
  'manifests/latest/../../../secret/app/manifests/latest',
  'manifests/..%2f..%2f..%2fsecret%2fapp%2fmanifests%2flatest',
);
const QUERIES = [
  '',
  '?n=1',
  `?mount=${DIGEST}&from=secret/app`,
  `?mount=${DIGEST}&from=team/app`,
  `?mount=${DIGEST}&from=team/app&from=secret/app`,
  `?mount=${DIGEST}&from=team%2f..%2fsecret%2fapp`,
  `?mount=${DIGEST}&%66rom=secret/app`,
  `?mount=${DIGEST};from=secret/app`,
  '?/../secret/app/tags/list',
  '?artifactType=a%0d%0aX:1',
  `?_state=x&digest=${DIGEST}`,
];
const query = fc.constantFrom(...QUERIES);
const start = fc.oneof(
  { weight: 4, arbitrary: fc.constant('/v2/team/') },
  fc.constantFrom(
    '/v2/',
    '//v2/',
    '/V2/',
    '/v2//',
    '/v2/../v2/',
    '/./v2/',
    '/api/../v2/',
    '/v2/%2e%2e/v2/',
    'http://inner.invalid/v2/',
    'http://127.0.0.1/v2/team/../',
    'http://team@inner.invalid/v2/',
    '*',
    'v2/',
  ),
);
const plain = fc
  .tuple(word, end, query)
  .map(([name, last, rest]) => `/v2/team/${name}/${last}${rest}`);
const odder = fc
  .tuple(
    start,
    fc.array(fc.oneof({ weight: 3, arbitrary: word }, odd), { maxLength: 2 }),
    end,
    query,
  )
  .map(([first, words, last, rest]) => first + [...words, last].join('/') + rest);
const path = fc.oneof(plain, odder);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE') },
  fc.constantFrom('OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'SEARCH', 'PURGE', 'QUERY'),
);
const RIDE = 'GET /v2/secret/app/manifests/latest HTTP/1.1\r\nHost: x\r\n\r\n';
const extra = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc.constantFrom(
    '',
    'X-Original-URL: /v2/secret/app/tags/list\r\n',
    'X-Rewrite-URL: /v2/secret/app/tags/list\r\n',
    'X-HTTP-Method-Override: DELETE\r\n',
    'X-Forwarded-Prefix: /v2/secret\r\n',
    'Host: secret.invalid\r\n',
    'Connection: close, authorization, host\r\n',
    'Upgrade: h2c\r\nConnection: Upgrade\r\n',
    'Expect: 100-continue\r\n',
    'Range: bytes=0-1\r\nX: a\r\n b\r\n',
    'Content-Type: application/x-www-form-urlencoded\r\n',
  ),
);
/** Ambiguous framing. */
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant('\r\n') },
  fc.constantFrom(
    `Content-Length: ${RIDE.length}\r\n\r\n${RIDE}`,
    `Content-Length: 0\r\n\r\n${RIDE}`,
    `Content-Length: 4\r\nContent-Length: ${RIDE.length}\r\n\r\n${RIDE}`,
    `Content-Length: ${RIDE.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${RIDE}`,
    `Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${RIDE}`,
    `Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n${RIDE}`,
    `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${RIDE}`,
    `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${RIDE}`,
    `Transfer-Encoding: chunked\r\n\r\n${RIDE.length.toString(16)};x=\n0\r\n${RIDE}\r\n0\r\n\r\n`,
  ),
);

it('no input reaches the registry under another repository than the authorized one', async () => {
  let reached = 0;
  const targets: string[] = [];
  await fc.assert(
    fc.asyncProperty(method, path, extra, body, async (verb, target, header, rest) => {
      received = [];
      const { authorization } = basic('writer');
      const named = `Host: ${v2.host}\r\nUser-Agent: case-${targets.push(target) - 1}\r\n`;
      const head = `${verb} ${target} HTTP/1.1\r\n${named}Authorization: ${authorization}\r\n`;
      await send(Buffer.from(`${head}${header}${rest}`));
      reached += received.length;
      for (const { url, agent } of received) assertChecked(url, ...causesOf(agent, targets));
    }),
    { numRuns: 600 },
  );
  expect(reached).toBeGreaterThan(20);
});

it.each(QUERIES)(
  'an upload begun with "%s" mounts nothing the account may not read',
  async (asks) => {
    const { authorization } = basic('writer');
    const head = `POST /v2/team/app/blobs/uploads/${asks} HTTP/1.1\r\nHost: ${v2.host}\r\n`;
    await send(Buffer.from(`${head}Authorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`));
    for (const { url } of received) assertChecked(url, '/v2/team/app/');
  },
);

it.each([
  `/v2/team/app/manifests/latest`,
  `/v2/team/app/blobs/${DIGEST}`,
  '/v2/team/app/tags/list',
])('%s reaches it unchanged', async (target) => {
  const answer = await fetch(v2.url + target, { headers: basic('writer') });
  await answer.body?.cancel();
  expect(received.map(({ url }) => url)).toEqual([target]);
});

/** The API refuses it without asking the registry, and closes the connection after its answer. */
const LAST = `GET /v2/ HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n`;

/**
 * Until the server closes the connection, which it does after the last request, and where it waits
 * for more of a body: it has received everything then.
 */
async function send(bytes: Buffer): Promise<void> {
  const socket = connect(Number(new URL(v2.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.end(Buffer.concat([bytes, Buffer.from(LAST)]));
  await once(socket, 'close');
}

const MOST_LATE = 5;

/**
 * The targets for which a request was made: on a busy machine it may arrive during a later case.
 * Requests of the api itself, and those that ride in a body, name no case.
 */
function causesOf(agent: string | undefined, targets: readonly string[]): string[] {
  const [, number] = /^case-(\d+)$/.exec(agent ?? '') ?? [];
  return number === undefined ? targets.slice(-MOST_LATE) : [targets[Number(number)] ?? ''];
}

/** The account may use the folder, and the path of a cause contains the repository unchanged. */
function assertChecked(url: string, ...causes: string[]): void {
  const { pathname, searchParams } = new URL(url, 'http://registry.invalid');
  expect(pathname).toBe(url.split('?')[0]); // Nothing to normalize.
  const [repository, ...others] = repositoriesIn(pathname);
  expect(others).toEqual([]);
  expect(repository).toMatch(/^team\//);
  expect(causes.some((target) => target.startsWith(`/v2/${repository}/`))).toBe(true);
  expect(searchParams.getAll('from').filter((from) => from !== 'team/app')).toEqual([]);
}

/** The repositories that the routes of CNCF distribution (registry/api/v2/descriptors.go) read. */
function repositoriesIn(pathname: string): string[] {
  const name = '([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)';
  const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*[:][0-9a-fA-F]{32,}';
  const tails = [
    `/manifests/(?:[\\w][\\w.-]{0,127}|${digest})`,
    '/tags/list',
    `/blobs/${digest}`,
    '/blobs/uploads/',
    '/blobs/uploads/[a-zA-Z0-9-_.=]+',
  ];
  const read = tails.map((tail) => new RegExp(`^/v2/${name}${tail}$`).exec(pathname)?.[1]);
  return [...new Set(read.filter((repository) => repository !== undefined))];
}
