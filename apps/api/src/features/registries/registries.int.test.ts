/**
 * The routes of saved registries, with real registries: open, Basic, and a token realm with TLS and
 * a private CA.
 */
import { createServer } from 'node:http';
import { get } from 'node:https';
import {
  buildImage,
  json,
  pushImage,
  refusal,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, published, startApi, type TestApi } from '../../api.fixture.ts';
import { listen } from '../../server.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let bob: Client;
let open: TestRegistry;
let basic: TestRegistry;
let token: TestRegistry;

beforeAll(async () => {
  [api, open, basic, token] = await Promise.all([
    startApi(),
    startRegistry(),
    startRegistry({ auth: 'basic' }),
    startRegistry({ auth: 'token', tls: true }),
  ]);
  await api.account('root', { isAdmin: true });
  await api.grant(await api.account('ann'), 'anns', { canPullExternal: true });
  await api.account('bob');
  [admin, ann, bob] = await Promise.all([api.as('root'), api.as('ann'), api.as('bob')]);
  await pushImage(
    token.url,
    'team/app',
    '1',
    await buildImage({ layers: [{ a: '1' }] }),
    await tokenClient(),
  );
});
afterAll(() => Promise.all([api?.stop(), open?.stop(), basic?.stop(), token?.stop()]));

const patch = (client: Client, id: string, body: unknown) => send(client, 'PATCH', id, body);

async function send(
  client: Client,
  method: string,
  id: string,
  body: unknown,
): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(`${api.url}/api/registries/${id}`, {
    method,
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

/** The small test client supports Basic only. */
async function tokenClient() {
  const answer = await fetchToken('repository:team/app:pull,push');
  return { ca: token.ca, headers: { authorization: `Bearer ${answer}` } };
}

async function fetchToken(scope: string): Promise<string> {
  const challenge = await new Promise<string>((resolve, reject) => {
    get(`${token.url}/v2/`, { ca: token.ca, agent: false }, (response) => {
      response.resume();
      resolve(response.headers['www-authenticate'] ?? '');
    }).once('error', reject);
  });
  const realm = /realm="([^"]+)"/.exec(challenge)?.[1] ?? '';
  const { username = '', password = '' } = token.credentials ?? {};
  return new Promise((resolve, reject) => {
    get(
      `${realm}?scope=${scope}`,
      { ca: token.ca, agent: false, auth: `${username}:${password}` },
      (response) => {
        let text = '';
        response
          .on('data', (chunk) => (text += chunk))
          .on('end', () => resolve(JSON.parse(text).token));
      },
    ).once('error', reject);
  });
}

async function saved(client: Client, fields: Record<string, unknown> = {}) {
  const response = await client.post('/api/registries', {
    name: 'reg',
    host: open.host,
    use_tls: false,
    ...fields,
  });
  expect(response.status).toBe(201);
  return response.json();
}

describe('a saved registry', () => {
  it('belongs to the account that saved it; its password is never shown', async () => {
    const registry = await saved(ann, {
      username: 'u',
      password: 'p-secret',
      host: 'Registry.Example.com:5000',
    });
    expect(registry).toMatchObject({
      host: 'registry.example.com:5000',
      username: 'u',
      has_password: true,
      owner: 'ann',
      system: false,
      last_check: null,
    });
    const shown = await json(ann.get(`/api/registries/${registry.id}`));
    expect(JSON.stringify([registry, shown, await published(api, 100)])).not.toContain('p-secret');
    expect(await api.store.registries.credentials(registry.id)).toEqual({
      username: 'u',
      password: 'p-secret',
    });
  });

  it('is one of at most a hundred per account, not counting global ones', async () => {
    const ownerId = await api.account('keeper');
    const keeper = await api.as('keeper');
    const row = { name: 'r', host: 'registry.example.com', ownerId };
    await api.store.registries.insert({ ...row, ownerId: null });
    await Promise.all(Array.from({ length: 99 }, () => api.store.registries.insert(row)));
    const order = { name: 'last', host: 'registry.example.com' };
    expect((await keeper.post('/api/registries', order)).status).toBe(201);
    const refused = await keeper.post('/api/registries', order);
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'REGISTRIES_MANY']);
  });

  it('of another account does not exist, whatever is asked of it', async () => {
    const { id } = await saved(ann);
    const answers = await Promise.all([
      bob.get(`/api/registries/${id}`),
      bob.delete(`/api/registries/${id}`),
      bob.post(`/api/registries/${id}/test`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await patch(bob, id, { name: 'mine' }))[0]).toBe(404);
    expect(
      (await json(bob.get('/api/registries'))).map((each: { id: string }) => each.id),
    ).not.toContain(id);
    expect((await admin.get(`/api/registries/${id}`)).status).toBe(200);
  });

  it('is global only if an administrator saves it; then all accounts may use but not change it', async () => {
    expect(
      (await ann.post('/api/registries', { name: 'g', host: 'a.example', owner: 'global' })).status,
    ).toBe(403);
    const registry = await saved(admin, { owner: 'global' });
    expect(registry.owner).toBe('global');
    expect((await ann.get(`/api/registries/${registry.id}`)).status).toBe(200);
    expect((await patch(ann, registry.id, { name: 'mine' }))[0]).toBe(404);
    expect((await ann.delete(`/api/registries/${registry.id}`)).status).toBe(404);
    expect((await patch(admin, registry.id, { name: 'ours' }))[1]).toMatchObject({ name: 'ours' });
    expect((await admin.delete(`/api/registries/${registry.id}`)).status).toBe(204);
  });

  it.each([
    ['host with a scheme', { host: 'https://a.example' }],
    ['host with a path', { host: 'a.example/v2' }],
    ['host with a port that is none', { host: 'a.example:70000' }],
    ['password without a username', { password: 'x' }],
    ['certificate that is none', { ca_cert: 'no certificate' }],
    [
      'key among the certificates',
      { ca_cert: '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----' },
    ],
    ['field that is unknown', { colour: 'red' }],
  ])('a %s is 422', async (_, fields) => {
    const body = { name: 'x', host: 'a.example', ...fields };
    expect((await ann.post('/api/registries', body)).status).toBe(422);
  });

  it('sends a stored password to no other host than it was given for', async () => {
    const { id } = await saved(ann, { username: 'u', password: 'p' });
    const [status, body] = await patch(ann, id, { host: 'elsewhere.example' });
    expect([status, body.code]).toEqual([422, 'PASSWORD_REQUIRED']);
    expect((await patch(ann, id, { host: 'elsewhere.example', password: null }))[1]).toMatchObject({
      has_password: false,
    });
  });

  it('sends a stored password to no other token service than it was given for', async () => {
    const { id } = await saved(ann, { username: 'u', password: 'p', token_hosts: ['a.example'] });
    const token_hosts = ['a.example', 'b.example:8443'];
    const [status, body] = await patch(ann, id, { token_hosts });
    expect([status, body.code]).toEqual([422, 'PASSWORD_REQUIRED']);
    expect((await patch(ann, id, { token_hosts, password: 'p' }))[1]).toMatchObject({
      token_hosts,
    });
    expect((await patch(ann, id, { token_hosts: null, push_namespace: 'team' }))[1]).toMatchObject({
      token_hosts: [],
      push_namespace: 'team',
    });
  });

  it.each([
    ['no certificate', 'hello'],
    ['a damaged one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
  ])('trusts no authority that is %s', async (_, ca_cert) => {
    const { id } = await saved(ann);
    const [status, { errors }] = await patch(ann, id, { ca_cert });
    expect([status, errors]).toMatchObject([422, [{ path: 'ca_cert', code: 'CA_CERT_INVALID' }]]);
  });

  it('keeps what a change does not name', async () => {
    const { id } = await saved(ann, { username: 'u', password: 'p', ca_cert: token.ca });
    expect((await patch(ann, id, { name: 'other' }))[1]).toMatchObject({
      name: 'other',
      has_password: true,
      ca_cert: token.ca,
    });
    expect((await patch(ann, id, { username: null }))[1]).toMatchObject({
      username: null,
      has_password: false,
    });
  });

  it('each change is an audit event', async () => {
    const { id } = await saved(ann);
    await patch(ann, id, { name: 'other' });
    await ann.delete(`/api/registries/${id}`);
    const events = (await published(api, 100)).filter(({ resource }) => resource?.id === id);
    expect(events.map(({ event }) => event).sort()).toEqual([
      'registry.create',
      'registry.delete',
      'registry.update',
    ]);
  });
});

describe('the built-in registry', () => {
  it('is hidden from the list unless asked for, and answers its test', async () => {
    expect(
      (await json(ann.get('/api/registries'))).some((each: { system: boolean }) => each.system),
    ).toBe(false);
    const [first] = await json(ann.get('/api/registries?include_system=true'));
    expect(first).toMatchObject({
      id: '__local__',
      system: true,
      host: api.host.replace('127.0.0.1', 'localhost'),
    });
    expect(await json(ann.post('/api/registries/__local__/test'))).toMatchObject({
      reachable: true,
      authenticated: true,
    });
  });

  it('cannot be changed, not even by an administrator', async () => {
    expect((await patch(admin, '__local__', { name: 'x' }))[1]).toMatchObject({
      code: 'REGISTRY_SYSTEM',
    });
    expect((await admin.delete('/api/registries/__local__')).status).toBe(403);
  });
});

describe('the connection test', () => {
  const login = () => basic.credentials;
  it.each([
    [
      'open',
      () => ({ host: open.host, use_tls: false }),
      { reachable: true, authenticated: true, catalog: true },
    ],
    [
      'Basic with the login',
      () => ({ host: basic.host, use_tls: false, ...login() }),
      { reachable: true, authenticated: true, catalog: true },
    ],
    [
      'Basic without one',
      () => ({ host: basic.host, use_tls: false }),
      { reachable: true, authenticated: false },
    ],
    [
      'Basic with a wrong password',
      () => ({ host: basic.host, use_tls: false, username: 'tester', password: 'no' }),
      { reachable: true, authenticated: false, code: 'REGISTRY_UNAUTHENTICATED' },
    ],
    [
      'token realm, TLS and own CA',
      () => ({ host: token.host, ca_cert: token.ca, ...login() }),
      { reachable: true, authenticated: true, catalog: true },
    ],
    [
      'token realm, its certificate unchecked',
      () => ({ host: token.host, tls_verify: false, ...login() }),
      { reachable: true, authenticated: true },
    ],
    [
      'token realm without its CA',
      () => ({ host: token.host, ...login() }),
      { reachable: false, authenticated: false },
    ],
    [
      'token realm with a wrong password',
      () => ({ host: token.host, ca_cert: token.ca, username: 'tester', password: 'no' }),
      { reachable: true, authenticated: false },
    ],
    ['TLS asked of a registry without', () => ({ host: open.host }), { reachable: false }],
    [
      'no listener',
      () => ({ host: '127.0.0.1:9' }),
      { reachable: false, authenticated: false, catalog: false, code: 'REGISTRY_UNREACHABLE' },
    ],
  ])('of a registry (%s) reports what works', async (_, place, expected) => {
    const result = await json(ann.post('/api/registries/test', place()));
    expect(result).toMatchObject(expected);
    expect(result.latency_ms).toBeGreaterThanOrEqual(0);
  });

  it('of a saved registry is stored, and removed when its address changes', async () => {
    const { id } = await saved(ann);
    expect(await json(ann.post(`/api/registries/${id}/test`))).toMatchObject({ reachable: true });
    expect(await json(ann.get(`/api/registries/${id}`))).toMatchObject({
      last_check: { ok: true },
    });
    await patch(ann, id, { name: 'renamed' });
    expect(await json(ann.get(`/api/registries/${id}`))).toMatchObject({
      last_check: { ok: true },
    });
    await patch(ann, id, { use_tls: true });
    expect(await json(ann.get(`/api/registries/${id}`))).toMatchObject({ last_check: null });
  });

  it('G6: is denied without a connection to an account that may use no other registry', async () => {
    let connections = 0;
    const listening = createServer((_, response) => response.end('{}')).on('connection', () => {
      connections += 1;
    });
    const { port, stop } = await listen(listening, 0, '127.0.0.1');
    const place = { host: `127.0.0.1:${port}`, use_tls: false };
    const global = await json(
      admin.post('/api/registries', { ...place, name: 'g', owner: 'global' }),
    );
    const own = await json(bob.post('/api/registries', { ...place, name: 'b' }));
    for (const answer of [
      await bob.post('/api/registries/test', place),
      await bob.post(`/api/registries/${own.id}/test`),
      await bob.post(`/api/registries/${global.id}/test`),
    ])
      expect([answer.status, (await answer.json()).code]).toEqual([403, 'PULL_EXTERNAL_FORBIDDEN']);
    await stop(1_000);
    expect(connections).toBe(0);
  });

  it('of a registry without a catalogue reports that', async () => {
    const closed = await listen(
      createServer((request, response) => {
        response.writeHead(request.url?.startsWith('/v2/_catalog') ? 405 : 200).end('{}');
      }),
      0,
      '127.0.0.1',
    );
    const result = await json(
      ann.post('/api/registries/test', { host: `127.0.0.1:${closed.port}`, use_tls: false }),
    );
    await closed.stop(1_000);
    expect(result).toMatchObject({ reachable: true, authenticated: true, catalog: false });
  });
});

describe('if no private address is allowed for all accounts', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await startApi({ EGRESS_ALLOW: '' });
    await strict.account('root', { isAdmin: true });
    await strict.grant(await strict.account('ann'), 'anns', { canPushExternal: true });
  });
  afterAll(() => strict?.stop());

  it('a private address is connected to for a registry that an administrator saved, and for no other', async () => {
    const [chief, user] = await Promise.all([strict.as('root'), strict.as('ann')]);
    const place = { name: 'r', host: open.host, use_tls: false };
    const global = await json(chief.post('/api/registries', { ...place, owner: 'global' }));
    const own = await json(user.post('/api/registries', place));
    expect(await json(user.post(`/api/registries/${global.id}/test`))).toMatchObject({
      reachable: true,
    });
    expect(await json(user.post(`/api/registries/${own.id}/test`))).toMatchObject({
      reachable: false,
    });
    expect(await json(chief.post(`/api/registries/${own.id}/test`))).toMatchObject({
      reachable: false,
    });
    const { name: _, ...probe } = place;
    expect(await json(user.post('/api/registries/test', probe))).toMatchObject({
      reachable: false,
    });
    expect(await json(chief.post('/api/registries/test', probe))).toMatchObject({
      reachable: true,
    });
  });

  it('the built-in registry’s internal address is never connected to', async () => {
    const chief = await strict.as('root');
    const probe = { host: strict.registry.host, use_tls: false };
    expect(await json(chief.post('/api/registries/test', probe))).toMatchObject({
      reachable: false,
    });
  });

  it('G6: and an account cannot distinguish it from an address without a listener', async () => {
    const user = await strict.as('ann');
    const probe = async (host: string) =>
      (await json(user.post('/api/registries/test', { host, use_tls: false }))).message.replace(
        host,
        'HOST',
      );
    expect(await probe(strict.registry.host)).toBe(await probe('127.0.0.1:9'));
  });
});

describe('the policy of a registry', () => {
  let policyId: string;
  beforeAll(async () => {
    const rules = [{ severities: ['CRITICAL'] }];
    policyId = (await json(admin.post('/api/policies', { name: 'outside', rules }))).id;
  });

  it('is set by an administrator, and removed with null', async () => {
    const { id, policy_id } = await saved(ann);
    expect(policy_id).toBeNull();
    expect(await patch(admin, id, { policy_id: policyId })).toMatchObject([
      200,
      { policy_id: policyId },
    ]);
    expect((await json(ann.get(`/api/registries/${id}`))).policy_id).toBe(policyId);
    const events = (await published(api, 20)).filter(({ resource }) => resource?.id === id);
    expect(events.find(({ event }) => event === 'registry.update')?.detail).toMatchObject({
      policy_id: { from: null, to: policyId },
    });
    expect(await patch(admin, id, { policy_id: null })).toMatchObject([200, { policy_id: null }]);
    expect(await saved(admin, { owner: 'global', policy_id: policyId })).toMatchObject({
      policy_id: policyId,
    });
  });

  it.each<[string, () => object, number]>([
    ['policy', () => ({ policy_id: null }), 403],
    ['host', () => ({ host: basic.host }), 403],
    ['name', () => ({ name: 'renamed' }), 200],
    ['policy to the same', () => ({ policy_id: policyId }), 200],
  ])('its owner changes the %s of a registry that has one', async (_, change, status) => {
    const { id } = await saved(ann);
    await patch(admin, id, { policy_id: policyId });
    const [answered, body] = await patch(ann, id, change());
    expect([answered, body.code]).toEqual([status, status === 403 ? 'ADMIN_ONLY' : undefined]);
    expect((await json(ann.get(`/api/registries/${id}`))).policy_id).toBe(policyId);
  });

  it('is not chosen by the account that saves it', async () => {
    const body = { name: 'reg', host: open.host, use_tls: false };
    const refused = await ann.post('/api/registries', { ...body, policy_id: policyId });
    expect([refused.status, (await refusal(refused)).code]).toEqual([403, 'ADMIN_ONLY']);
    expect((await ann.post('/api/registries', { ...body, policy_id: null })).status).toBe(201);
  });

  it('has to exist', async () => {
    const { id } = await saved(admin);
    const unknown = { policy_id: '0190a1b2-0000-7000-8000-00000000000a' };
    const [status, body] = await patch(admin, id, unknown);
    expect([status, body.errors]).toMatchObject([
      422,
      [{ path: 'policy_id', code: 'POLICY_UNKNOWN' }],
    ]);
  });
});
