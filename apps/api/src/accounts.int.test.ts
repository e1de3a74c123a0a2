/**
 * Accounts, passwords, tokens and sessions, in two api processes with one database and one Redis.
 */

import { contract, type Operation } from '@portcullis/contract';
import { json, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Client,
  codeOf,
  published,
  startApi,
  type TestApi,
  withinASecond,
} from './api.fixture.ts';

let api: TestApi;
let second: TestApi;
let admin: Client;

beforeAll(async () => {
  api = await startApi();
  second = await startApi({}, api);
  await api.account('root', { isAdmin: true });
});
beforeEach(async () => {
  admin = await api.as('root');
});
afterAll(async () => {
  await second?.stop();
  await api?.stop();
});

let count = 0;

/** A new account with a unique name, and a client for it. */
async function newAccount(flags = {}): Promise<{ id: string; name: string; client: Client }> {
  const name = `account-${++count}`;
  const id = await api.account(name, flags);
  return { id, name, client: await api.as(name) };
}

function login(username: string, password: string): Promise<Response> {
  const body = JSON.stringify({ username, password });
  const headers = { 'content-type': 'application/json' };
  return fetch(`${api.url}/api/auth/login`, { method: 'POST', headers, body });
}

/** The status of a request with a credential in each of the two processes. */
async function statuses(path: string, headers: Record<string, string>): Promise<number[]> {
  const responses = [api, second].map(({ url }) => fetch(url + path, { headers }));
  return (await Promise.all(responses)).map(({ status }) => status);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** Both processes accept and cache the credential; a second after `change` both refuse it. */
async function deadAfter(
  path: string,
  headers: Record<string, string>,
  change: () => Promise<unknown>,
) {
  for (let n = 0; n < 2; n++) expect(await statuses(path, headers)).toEqual([200, 200]);
  await change();
  await withinASecond(async () => expect(await statuses(path, headers)).toEqual([401, 401]));
}

async function made(client: Client, scope: 'api' | 'docker', more = {}) {
  return json(client.post('/api/auth/tokens', { name: 'ci', scope, ...more }));
}

describe('an administrator', () => {
  it('makes, lists, finds, changes and deletes accounts', async () => {
    const body = { username: ' Zoë.M ', password: 'a long enough one', email: 'zoe@corp.example' };
    const response = await admin.post('/api/auth/users', body);
    const user = await json(response);
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      `/api/auth/users/${user.id}`,
    ]);
    expect(user).toMatchObject({
      username: 'Zoë.M',
      email: 'zoe@corp.example',
      is_admin: false,
      disabled: false,
      auth_source: 'local',
      must_change_password: false,
      last_login_at: null,
    });
    expect(JSON.stringify(user)).not.toContain('hash');
    expect((await login('zoë.m', 'a long enough one')).status).toBe(200);
    expect((await json(admin.get(`/api/auth/users/${user.id}`))).last_login_at).not.toBeNull();
    expect(await json(admin.get('/api/auth/users?q=CORP'))).toMatchObject([{ id: user.id }]);
    const change = { email: null, can_bypass_vuln_block: true };
    expect(await json(admin.patch(`/api/auth/users/${user.id}`, change))).toMatchObject(change);
    expect((await admin.delete(`/api/auth/users/${user.id}`)).status).toBe(204);
    expect(await codeOf(admin.get(`/api/auth/users/${user.id}`))).toEqual([404, 'USER_UNKNOWN']);
    expect(await codeOf(login('zoë.m', 'a long enough one'))).toEqual([401, 'LOGIN_FAILED']);
  });

  it('lists accounts by name, page by page', async () => {
    for (const name of ['page-c', 'Page-A', 'page-b']) await api.account(name);
    const first = await admin.get('/api/auth/users?q=page-&limit=2');
    expect((await json(first)).map((user: { username: string }) => user.username)).toEqual([
      'Page-A',
      'page-b',
    ]);
    expect(first.headers.get('x-total-count')).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(await json(admin.get(next))).toMatchObject([{ username: 'page-c' }]);
  });

  it.each<[string, object, [number, string]]>([
    ['a name that is taken, in other letters', { username: 'ROOT' }, [409, 'USERNAME_TAKEN']],
    [
      'a name with a colon, which would end it in a Basic credential',
      { username: 'a:b' },
      [422, 'VALIDATION_FAILED'],
    ],
    ['an empty name', { username: '  ' }, [422, 'VALIDATION_FAILED']],
    ['a password of eleven characters', { password: 'x'.repeat(11) }, [422, 'VALIDATION_FAILED']],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, [422, 'VALIDATION_FAILED']],
    ['an unknown field', { role: 'king' }, [422, 'VALIDATION_FAILED']],
  ])('is refused %s', async (_, fields, expected) => {
    const body = { username: 'fresh', password: 'a long enough one', ...fields };
    expect(await codeOf(admin.post('/api/auth/users', body))).toEqual(expected);
  });

  it('is refused a password for an account of an identity provider', async () => {
    const { id } = await api.store.users.insert({
      username: 'sso',
      passwordHash: null,
      authSource: 'oidc',
    });
    const refused = admin.patch(`/api/auth/users/${id}`, { password: 'a long enough one' });
    expect(await codeOf(refused)).toEqual([409, 'PASSWORD_NOT_LOCAL']);
  });

  it('can’t be demoted, disabled or deleted when it is the last active one', async () => {
    const { id } = await json(admin.get('/api/auth/me'));
    await api.account('retired', { isAdmin: true });
    const retired = await api.store.users.findByUsername('retired');
    await admin.patch(`/api/auth/users/${retired?.id}`, { disabled: true });
    const path = `/api/auth/users/${id}`;
    expect(await codeOf(admin.patch(path, { is_admin: false }))).toEqual([409, 'LAST_ADMIN']);
    expect(await codeOf(admin.patch(path, { disabled: true }))).toEqual([409, 'LAST_ADMIN']);
    expect(await codeOf(admin.delete(path))).toEqual([409, 'LAST_ADMIN']);
    expect((await admin.get('/api/auth/me')).status).toBe(200);
  });

  it('is the actor in the audit log, which holds no password', async () => {
    const { id, name } = await newAccount();
    await admin.patch(`/api/auth/users/${id}`, { password: 'sesame-open-1', is_admin: true });
    await admin.delete(`/api/auth/users/${id}`);
    const events = (await published(api, 20)).filter(({ resource }) => resource?.id === id);
    expect(events.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['user.delete', 'success'],
      ['user.update', 'success'],
    ]);
    expect(events[1]).toMatchObject({
      actor: { name: 'root' },
      resource: { kind: 'user', name },
      detail: { is_admin: true, password: 'changed' },
    });
    expect(JSON.stringify(events) + api.log.join()).not.toContain('sesame-open-1');
  });
});

describe('a deleted account', () => {
  it('takes its staging jobs with it: they are cancelled and removed, and their layouts discarded', async () => {
    const { id, client } = await newAccount();
    await api.grant(id, 'away', { canPullExternal: true });
    const { job_id } = await json(client.post('/api/staging/pull', { image: 'a/b', tag: '1' }));
    await api.store.registries.insert({ name: 'own', host: 'quay.io', ownerId: id });
    const waiting = async () =>
      (await api.queues.depths()).find(({ queue }) => queue === 'tasks')?.waiting ?? 0;
    const before = await waiting();
    expect((await admin.delete(`/api/auth/users/${id}`)).status).toBe(204);
    expect(await api.store.jobs.find(job_id)).toBeNull();
    expect(await waiting()).toBe(before + 1);
    expect(
      (await api.store.registries.list({ visibleTo: id })).map(({ name }) => name),
    ).not.toContain('own');
  });
});

describe('a session ends at once in every process', () => {
  const ME = '/api/auth/me';

  it.each<[string, (one: { id: string; client: Client }) => Promise<unknown>]>([
    ['after its logout', ({ client }) => client.post('/api/auth/logout')],
    [
      'when its account is disabled',
      ({ id }) => admin.patch(`/api/auth/users/${id}`, { disabled: true }),
    ],
    ['when its account is deleted', ({ id }) => admin.delete(`/api/auth/users/${id}`)],
    [
      'when an administrator sets another password',
      ({ id }) => admin.patch(`/api/auth/users/${id}`, { password: 'another one entirely' }),
    ],
  ])('%s', async (_, change) => {
    const one = await newAccount();
    await deadAfter(ME, bearer(one.client.token), () => change(one));
  });

  it('and is not restored when its account is enabled again', async () => {
    const { id, client } = await newAccount();
    await admin.patch(`/api/auth/users/${id}`, { disabled: true });
    await admin.patch(`/api/auth/users/${id}`, { disabled: false });
    expect((await client.get(ME)).status).toBe(401);
  });

  it('and its event streams end too', async () => {
    const { client } = await newAccount();
    const stream = await fetch(`${second.url}/api/staging/events`, {
      headers: bearer(client.token),
    });
    expect(stream.status).toBe(200);
    await client.post('/api/auth/logout');
    // The text is complete only when the server ends the stream.
    await expect(stream.text()).resolves.toBeTypeOf('string');
  });
});

describe('a right ends at once in every process', () => {
  it.each<[string, (grant: { folderId: string; groupId: string; id: string }) => Promise<unknown>]>(
    [
      [
        'when its grant is revoked',
        ({ folderId, groupId }) => api.store.folders.revoke(folderId, groupId),
      ],
      [
        'when its holder leaves the group',
        ({ groupId, id }) => api.store.groups.removeMember(groupId, id),
      ],
      ['when the group is deleted', ({ groupId }) => api.store.groups.remove(groupId)],
    ],
  )('%s', async (_, revoke) => {
    const { id, name } = await newAccount();
    const grant = await api.grant(id, `team-${name}`, { canPull: true });
    const path = `/v2/team-${name}/app/tags/list`;
    const headers = basic(name, `pass-of-${name}`);
    // A missing image is a 404 only for accounts that may read the repository.
    await withinASecond(async () => expect(await statuses(path, headers)).toEqual([404, 404]));
    await revoke({ ...grant, id });
    await withinASecond(async () => expect(await statuses(path, headers)).toEqual([403, 403]));
  });

  it('and is effective at once when it is granted', async () => {
    const { id, name } = await newAccount();
    const path = `/v2/late-${name}/app/tags/list`;
    const headers = basic(name, `pass-of-${name}`);
    expect(await statuses(path, headers)).toEqual([403, 403]);
    await api.grant(id, `late-${name}`, { canPull: true });
    await withinASecond(async () => expect(await statuses(path, headers)).toEqual([404, 404]));
  });
});

describe('the account’s password', () => {
  const change = (client: Client, current_password: string, new_password: string) =>
    client.post('/api/auth/me/password', { current_password, new_password });

  it('is changed with the current password; other sessions end, this one remains', async () => {
    const { name, client } = await newAccount();
    const other = await api.as(name);
    await deadAfter('/api/auth/me', bearer(other.token), async () =>
      expect((await change(client, `pass-of-${name}`, 'my new password')).status).toBe(204),
    );
    expect((await client.get('/api/auth/me')).status).toBe(200);
    expect((await login(name, `pass-of-${name}`)).status).toBe(401);
    expect((await login(name, 'my new password')).status).toBe(200);
  });

  it('may have 128 characters, and the last of them counts', async () => {
    const { name, client } = await newAccount();
    const long = `${'ü'.repeat(127)}!`;
    expect((await change(client, `pass-of-${name}`, long)).status).toBe(204);
    expect((await login(name, `${'ü'.repeat(127)}?`)).status).toBe(401);
    expect((await login(name, long)).status).toBe(200);
  });

  it.each<[string, (name: string) => [string, string], [number, string]]>([
    ['without the current one', () => ['wrong', 'my new password'], [403, 'PASSWORD_WRONG']],
    ['into itself', (name) => [`pass-of-${name}`, `pass-of-${name}`], [422, 'PASSWORD_UNCHANGED']],
    [
      'into eleven characters',
      (name) => [`pass-of-${name}`, 'elevenchars'],
      [422, 'VALIDATION_FAILED'],
    ],
  ])('is not changed %s', async (_, passwords, expected) => {
    const { name, client } = await newAccount();
    expect(await codeOf(change(client, ...passwords(name)))).toEqual(expected);
    expect((await login(name, `pass-of-${name}`)).status).toBe(200);
  });

  it('shares the limit of wrong passwords with the login', async () => {
    const { name, client } = await newAccount();
    for (let n = 0; n < 5; n++) await change(client, `wrong-${n}`, 'my new password');
    expect(await codeOf(change(client, `pass-of-${name}`, 'my new password'))).toEqual([
      429,
      'LOGIN_THROTTLED',
    ]);
    expect((await login(name, `pass-of-${name}`)).status).toBe(429);
    expect(
      (await fetch(`${second.url}/v2/`, { headers: basic(name, `pass-of-${name}`) })).status,
    ).toBe(429);
  });

  it('that an administrator sets unlocks an account after too many wrong passwords', async () => {
    const { id, name } = await newAccount();
    for (let n = 0; n < 6; n++) await login(name, `wrong-${n}`);
    expect((await login(name, `pass-of-${name}`)).status).toBe(429);
    await admin.patch(`/api/auth/users/${id}`, { password: 'set by an administrator' });
    expect((await login(name, 'set by an administrator')).status).toBe(200);
  });

  it('ends what was issued under the old one on /v2', async () => {
    const { name, client } = await newAccount();
    const headers = basic(name, `pass-of-${name}`);
    const { token } = await json(fetch(`${api.url}/v2/token`, { headers }));
    expect(await statuses('/v2/', bearer(token))).toEqual([200, 200]);
    await deadAfter('/v2/', headers, () => change(client, `pass-of-${name}`, 'my new password'));
    expect(await statuses('/v2/', bearer(token))).toEqual([401, 401]);
  });

  it('cannot be changed for an account of an identity provider', async () => {
    const { id, name, client } = await newAccount();
    await api.store.users.update(id, { passwordHash: null });
    expect(await codeOf(change(client, `pass-of-${name}`, 'my new password'))).toEqual([
      409,
      'PASSWORD_NOT_LOCAL',
    ]);
  });
});

describe('the session of a caller', () => {
  const session = (headers: HeadersInit = {}) =>
    json(fetch(`${api.url}/api/auth/session`, { headers }));

  it('is its account', async () => {
    const { client } = await newAccount();
    const user = await json(client.get('/api/auth/me'));
    expect(await session(bearer(client.token))).toEqual({ user });
    expect(await session({ cookie: `pc_token=${client.token}` })).toEqual({ user });
  });

  it('is null without a credential, with an invalid one and after a logout', async () => {
    const { client } = await newAccount();
    await client.post('/api/auth/logout');
    expect(await session()).toEqual({ user: null });
    expect(await session(bearer('nothing'))).toEqual({ user: null });
    expect(await session({ cookie: `pc_token=${client.token}` })).toEqual({ user: null });
  });
});

describe('an account that must change its password', () => {
  const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group));
  const allowed = ['post /auth/logout', 'get /auth/me', 'post /auth/me/password'];

  it('can change it, log out and read its own account, and nothing else', async () => {
    const { client } = await newAccount({ isAdmin: true, mustChangePassword: true });
    expect(await json(client.get('/api/auth/me'))).toMatchObject({ must_change_password: true });
    for (const { method, path, access } of operations) {
      if (access === 'public' || allowed.includes(`${method} ${path}`)) continue;
      const url = `${api.url}/api${path.replaceAll(/[{}]/g, '')}`;
      const response = fetch(url, { method: method.toUpperCase(), headers: bearer(client.token) });
      expect([path, ...(await codeOf(response))]).toEqual([path, 403, 'PASSWORD_CHANGE_REQUIRED']);
    }
  });

  it('gets the reason on /v2, and can do everything afterwards', async () => {
    const { name, client } = await newAccount({ mustChangePassword: true });
    const refused = await fetch(`${api.url}/v2/`, { headers: basic(name, `pass-of-${name}`) });
    expect(refused.status).toBe(403);
    expect((await refusal(refused)).errors[0].message).toContain('change your password');
    const body = { current_password: `pass-of-${name}`, new_password: 'my new password' };
    expect((await client.post('/api/auth/me/password', body)).status).toBe(204);
    expect((await client.get('/api/version')).status).toBe(200);
    expect(
      (await fetch(`${api.url}/v2/`, { headers: basic(name, 'my new password') })).status,
    ).toBe(200);
  });

  it('can be any account that an administrator marks so', async () => {
    const { id, client } = await newAccount();
    await admin.patch(`/api/auth/users/${id}`, { must_change_password: true });
    expect(await codeOf(client.get('/api/version'))).toEqual([403, 'PASSWORD_CHANGE_REQUIRED']);
  });
});

describe('a personal token', () => {
  it('is shown once, and afterwards identified by its first and last characters', async () => {
    const { client } = await newAccount();
    const response = await client.post('/api/auth/tokens', { name: 'ci', scope: 'api' });
    const { token, ...shown } = await json(response);
    expect(response.status).toBe(201);
    expect(token).toMatch(/^pct_[A-Za-z0-9_-]{43}$/);
    expect(shown).toMatchObject({ name: 'ci', scope: 'api', last_used_at: null });
    expect(shown.hint).toBe(`${token.slice(0, 8)}…${token.slice(-4)}`);
    expect(Date.parse(shown.expires_at) - Date.now()).toBeGreaterThan(89.9 * 86_400_000);
    expect(await json(client.get('/api/auth/tokens'))).toEqual([shown]);
    await api.as('root').then((root) => root.get('/api/version'));
    expect(api.log.join() + JSON.stringify(await published(api, 50))).not.toContain(token);
  });

  it('with the scope api authenticates its account on REST by the header only', async () => {
    const { id, name, client } = await newAccount();
    const { token } = await made(client, 'api');
    expect(await json(fetch(`${api.url}/api/auth/me`, { headers: bearer(token) }))).toMatchObject({
      id,
      username: name,
    });
    expect(await statuses('/api/auth/me', { cookie: `pc_token=${token}` })).toEqual([401, 401]);
  });

  it('with the scope docker is the password on /v2, under its own account’s name', async () => {
    const { name, client } = await newAccount();
    const { token } = await made(client, 'docker');
    expect(await statuses('/v2/', basic(name, token))).toEqual([200, 200]);
    expect(await statuses('/v2/', basic(name.toUpperCase(), token))).toEqual([200, 200]);
    expect(await statuses('/v2/', basic('root', token))).toEqual([401, 401]);
  });

  it('does not work for the other scope', async () => {
    const { name, client } = await newAccount();
    const [rest, docker] = [await made(client, 'api'), await made(client, 'docker')];
    expect(
      await codeOf(fetch(`${api.url}/api/auth/me`, { headers: bearer(docker.token) })),
    ).toEqual([401, 'TOKEN_SCOPE']);
    expect(await statuses('/v2/', basic(name, rest.token))).toEqual([401, 401]);
    expect(await statuses('/v2/', bearer(docker.token))).toEqual([401, 401]);
    expect((await login(name, docker.token)).status).toBe(401);
  });

  it('ends at once in every process when it is revoked, on REST', async () => {
    const { client } = await newAccount();
    const { id, token } = await made(client, 'api');
    await deadAfter('/api/auth/me', bearer(token), () => client.delete(`/api/auth/tokens/${id}`));
  });

  it('ends at once in every process when it is revoked, on /v2, with the tokens issued for it', async () => {
    const { name, client } = await newAccount();
    const { id, token } = await made(client, 'docker');
    const { token: issued } = await json(
      fetch(`${api.url}/v2/token`, { headers: basic(name, token) }),
    );
    expect(await statuses('/v2/', bearer(issued))).toEqual([200, 200]);
    await deadAfter('/v2/', basic(name, token), () => client.delete(`/api/auth/tokens/${id}`));
    expect(await statuses('/v2/', bearer(issued))).toEqual([401, 401]);
  });

  it('ends with its account', async () => {
    const { id, client } = await newAccount();
    const { token } = await made(client, 'api');
    await deadAfter('/api/auth/me', bearer(token), () =>
      admin.patch(`/api/auth/users/${id}`, { disabled: true }),
    );
  });

  it.each<[string, object]>([
    ['sets another password', { password: 'another one entirely' }],
    ['disables its account', { disabled: true }],
  ])('is removed when an administrator %s', async (_, edit) => {
    const { id, name, client } = await newAccount();
    const [rest, docker] = [await made(client, 'api'), await made(client, 'docker')];
    const { token: issued } = await json(
      fetch(`${api.url}/v2/token`, { headers: basic(name, docker.token) }),
    );
    await deadAfter('/api/auth/me', bearer(rest.token), () =>
      admin.patch(`/api/auth/users/${id}`, edit),
    );
    await admin.patch(`/api/auth/users/${id}`, { disabled: false });
    await withinASecond(async () => {
      expect(await statuses('/v2/', basic(name, docker.token))).toEqual([401, 401]);
      expect(await statuses('/v2/', bearer(issued))).toEqual([401, 401]);
    });
    expect(await api.store.tokens.list(id)).toEqual([]);
  });

  it('with the scope docker does not bypass a required password change', async () => {
    const { id, name, client } = await newAccount();
    const { token } = await made(client, 'docker');
    const { token: issued } = await json(
      fetch(`${api.url}/v2/token`, { headers: basic(name, token) }),
    );
    expect(await statuses('/v2/', bearer(issued))).toEqual([200, 200]);
    await admin.patch(`/api/auth/users/${id}`, { must_change_password: true });
    await withinASecond(async () => {
      expect(await statuses('/v2/', basic(name, token))).toEqual([403, 403]);
      expect(await statuses('/v2/', bearer(issued))).toEqual([401, 401]);
    });
  });

  it('is refused after it expires, although it was cached', async () => {
    const { id, client } = await newAccount();
    const { token } = await made(client, 'api', { expires_in_days: 1 });
    expect(await statuses('/api/auth/me', bearer(token))).toEqual([200, 200]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 + 1 });
    try {
      expect(await statuses('/api/auth/me', bearer(token))).toEqual([401, 401]);
    } finally {
      vi.useRealTimers();
    }
    expect(await api.store.tokens.list(id)).toHaveLength(1);
  });

  it('outlives a logout and a password change', async () => {
    const { name, client } = await newAccount();
    const { token } = await made(client, 'api');
    await fetch(`${api.url}/api/auth/logout`, { method: 'POST', headers: bearer(token) });
    const body = { current_password: `pass-of-${name}`, new_password: 'my new password' };
    expect((await client.post('/api/auth/me/password', body)).status).toBe(204);
    expect(await statuses('/api/auth/me', bearer(token))).toEqual([200, 200]);
  });

  it('is revoked by its owner or an administrator, and unknown to others', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const { id } = await made(one.client, 'api');
    expect(await codeOf(two.client.delete(`/api/auth/tokens/${id}`))).toEqual([
      404,
      'TOKEN_UNKNOWN',
    ]);
    expect((await admin.delete(`/api/auth/tokens/${id}`)).status).toBe(204);
    expect(await codeOf(one.client.delete(`/api/auth/tokens/${id}`))).toEqual([
      404,
      'TOKEN_UNKNOWN',
    ]);
  });

  it('shows when it was last used', async () => {
    const { client } = await newAccount();
    const { id, token } = await made(client, 'api');
    await statuses('/api/version', bearer(token));
    await expect.poll(async () => (await api.store.tokens.find(id))?.lastUsedAt).not.toBeNull();
  });

  it('is named with the actor in the audit log', async () => {
    const { client } = await newAccount();
    const { id, token } = await made(client, 'api');
    await fetch(`${api.url}/api/system/none`, { headers: bearer(token) });
    await fetch(`${api.url}/api/auth/users`, { headers: bearer(token) });
    const [event] = await published(api, 1);
    expect(event).toMatchObject({ outcome: 'denied', actor: { auth: 'token', token_id: id } });
  });

  it.each<[string, object]>([
    ['another scope', { scope: 'root' }],
    ['a lifetime of 366 days', { expires_in_days: 366 }],
    ['a lifetime of 0 days', { expires_in_days: 0 }],
    ['no name', { name: ' ' }],
  ])('is not created with %s', async (_, more) => {
    const { client } = await newAccount();
    const body = { name: 'ci', scope: 'api', ...more };
    expect((await client.post('/api/auth/tokens', body)).status).toBe(422);
  });
});
