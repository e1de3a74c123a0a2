/** Tags of an ad-hoc host, with real registries. */
import { createServer } from 'node:http';
import { buildImage, json, pushImage, startRegistry, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, published, startApi, type TestApi } from '../../api.fixture.ts';
import { listen } from '../../server.ts';
import { realmElsewhere } from './realm-elsewhere.fixture.ts';

let api: TestApi;
let open: TestRegistry;
let closed: TestRegistry;
let ann: Client;
let bob: Client;
let root: Client;

beforeAll(async () => {
  [open, closed] = await Promise.all([startRegistry(), startRegistry({ auth: 'basic' })]);
  api = await startApi();
  await api.account('root', { isAdmin: true });
  const [annId] = [await api.account('ann'), await api.account('bob')];
  await api.grant(annId, 'team', { canPull: true, canPullExternal: true });
  [root, ann, bob] = await Promise.all([api.as('root'), api.as('ann'), api.as('bob')]);
  const image = await buildImage({ layers: [{ text: 'one' }] });
  for (const tag of ['1.0', '1.1', '2.0']) await pushImage(open.url, 'acme/app', tag, image);
  await pushImage(closed.url, 'acme/app', 'sealed', image, { credentials: closed.credentials });
  const credentials = { username: 'root', password: 'pass-of-root' };
  await pushImage(api.url, 'team/app', 'ours', image, { credentials });
});
afterAll(() => Promise.all([api?.stop(), open?.stop(), closed?.stop()]));

/** The registry of the tests returns all tags at once, whatever the page size. */
function pagedRegistry() {
  return createServer((request, response) => {
    const last = new URL(request.url ?? '/', 'http://here.invalid').searchParams.get('last');
    const link = '</v2/acme/app/tags/list?n=2&last=1.1>; rel="next"';
    response
      .writeHead(200, { 'content-type': 'application/json', ...(last === null && { link }) })
      .end(JSON.stringify({ name: 'acme/app', tags: last === null ? ['1.0', '1.1'] : ['2.0'] }));
  });
}

function tagsAt(client: Client, host: string, more: { query?: string; body?: object } = {}) {
  const body = { image: 'acme/app', source_registry_host: host, ...more.body };
  return client.post(`/api/staging/search/tags${more.query ?? ''}`, body);
}

const login = () => ({
  source_registry_username: closed.credentials?.username,
  source_registry_password: closed.credentials?.password,
});

async function outcome(response: Promise<Response>): Promise<[number, string | string[]]> {
  const answer = await response;
  const body = await answer.json();
  return [answer.status, Array.isArray(body) ? body : body.code];
}

describe('the tags of an ad-hoc host', () => {
  it('come page by page, with the next page in Link', async () => {
    const paged = await listen(pagedRegistry(), 0, '127.0.0.1');
    const host = `127.0.0.1:${paged.port}`;
    const first = await tagsAt(ann, host, { query: '?limit=2' });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await outcome(ann.post(next, { image: 'acme/app', source_registry_host: host }));
    const elsewhere = `?cursor=${encodeURIComponent('/v2/other/app/tags/list?n=1')}`;
    const led = await outcome(tagsAt(ann, host, { query: elsewhere }));
    await paged.stop(1_000);
    expect([await json(first), second]).toEqual([
      ['1.0', '1.1'],
      [200, ['2.0']],
    ]);
    expect(led).toEqual([404, 'CURSOR_UNKNOWN']);
  });

  it('are filtered by the api, as no registry filters', async () => {
    const [status, tags] = await outcome(tagsAt(ann, open.host, { query: '?q=1.' }));
    expect([status, [...tags].sort()]).toEqual([200, ['1.0', '1.1']]);
  });

  it('need the login where the registry requires one, and it is never shown', async () => {
    expect(await outcome(tagsAt(ann, closed.host))).toEqual([409, 'SOURCE_LOGIN_REFUSED']);
    const wrong = { ...login(), source_registry_password: 'not-the-password' };
    expect(await outcome(tagsAt(ann, closed.host, { body: wrong }))).toEqual([
      409,
      'SOURCE_LOGIN_REFUSED',
    ]);
    expect(await outcome(tagsAt(ann, closed.host, { body: login() }))).toEqual([200, ['sealed']]);
    const said = api.log.join() + JSON.stringify(await published(api, 100));
    for (const secret of ['not-the-password', closed.credentials?.password ?? ''])
      expect(said).not.toContain(secret);
  });

  it('say that a login was kept back from a token service elsewhere, and what allows it', async () => {
    const refusing = await listen(realmElsewhere('localhost'), 0, '127.0.0.1');
    const answer = await tagsAt(ann, `127.0.0.1:${refusing.port}`, { body: login() });
    const body = await answer.json();
    await refusing.stop(1_000);
    expect([answer.status, body.code]).toEqual([409, 'LOGIN_WITHHELD']);
    expect(body.detail).toMatch(/localhost:\d+.*save the registry with that host in token_hosts/);
  });

  it('are no longer asked for once the client has left', async () => {
    const asked = Promise.withResolvers<void>();
    const dropped = Promise.withResolvers<void>();
    const silent = createServer((request) => {
      request.socket.once('close', () => dropped.resolve());
      asked.resolve();
    });
    const listening = await listen(silent, 0, '127.0.0.1');
    const client = new AbortController();
    const left = fetch(`${api.url}/api/staging/search/tags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        image: 'acme/app',
        source_registry_host: `127.0.0.1:${listening.port}`,
      }),
      signal: client.signal,
    }).catch(() => 'left');
    await asked.promise;
    client.abort();
    expect(await left).toBe('left');
    await dropped.promise;
    await listening.stop(1_000);
  });

  it('are audited with the account, the host and the repository', async () => {
    await tagsAt(ann, open.host, { body: { image: 'acme/on-record' } });
    const events = await published(api, 100);
    expect(events.find(({ detail }) => detail.image === 'acme/on-record')).toMatchObject({
      event: 'staging.tags',
      outcome: 'failure',
      actor: { name: 'ann' },
      detail: { host: open.host },
    });
  });

  it.each<[string, () => Promise<Response>, [number, string]]>([
    ['need can_pull_external', () => tagsAt(bob, open.host), [403, 'PULL_EXTERNAL_FORBIDDEN']],
    [
      'of no repository are unknown',
      () => tagsAt(ann, open.host, { body: { image: 'no/such' } }),
      [404, 'REPOSITORY_UNKNOWN'],
    ],
    [
      'of a host that is away are 503',
      () => tagsAt(root, '127.0.0.1:9'),
      [503, 'REGISTRY_UNAVAILABLE'],
    ],
    [
      'of a private address are an administrator’s',
      () => tagsAt(ann, '10.9.8.7'),
      [403, 'EGRESS_PRIVATE'],
    ],
    [
      'of a metadata address are refused',
      () => tagsAt(root, '169.254.169.254'),
      [403, 'EGRESS_REFUSED'],
    ],
    ['need a host', () => tagsAt(ann, 'not a host'), [422, 'VALIDATION_FAILED']],
    [
      'need a username with a password',
      () => tagsAt(ann, open.host, { body: { source_registry_password: 'alone' } }),
      [422, 'VALIDATION_FAILED'],
    ],
  ])('%s', async (_, ask, expected) => {
    expect(await outcome(ask())).toEqual(expected);
  });

  it('that resolves to this registry are subject to the folder rules, by any name', async () => {
    for (const host of [api.host, `localhost:${api.host.split(':')[1]}`, api.registry.host]) {
      const ours = { body: { image: 'team/app' } };
      expect(await outcome(tagsAt(ann, host, ours))).toEqual([200, ['ours']]);
      expect(await outcome(tagsAt(ann, host))).toEqual([403, 'FOLDER_FORBIDDEN']);
    }
  });
});
