import {
  json,
  openSql,
  refusal,
  startOidcProvider,
  type TestOidcProvider,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Client,
  published,
  startApi,
  type TestApi,
  withinASecond,
} from '../../api.fixture.ts';
import { atProvider, Browser, type Page } from './oidc.fixture.ts';

const CALLBACK = '/api/oidc/callback';
let api: TestApi;
let second: TestApi;
let provider: TestOidcProvider;
let terse: TestOidcProvider;
let admin: Client;
let settings: Record<string, unknown>;

beforeAll(async () => {
  api = await startApi();
  second = await startApi({ PUBLIC_URL: 'https://second.example.com' }, api);
  const redirectUris = [api.url + CALLBACK, `https://second.example.com${CALLBACK}`];
  provider = await startOidcProvider({
    redirectUris,
    postLogoutRedirectUris: [`${api.url}/login`],
  });
  terse = await startOidcProvider({ redirectUris, claimsIn: 'userinfo' });
  await api.account('root', { isAdmin: true });
  admin = await api.as('root');
});
afterAll(async () => {
  await Promise.all([provider?.stop(), terse?.stop()]);
  await second?.stop();
  await api?.stop();
});

beforeEach(async () => {
  provider.forge(null);
  settings = {
    enabled: true,
    provider_name: 'Example',
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    username_claim: null,
    groups_claim: null,
    admin_groups: null,
    allowed_groups: null,
    group_mapping: null,
    oidc_only: null,
    ca_cert: null,
    allow_insecure: null,
    scopes: null,
  };
  await set({});
});

async function set(change: Record<string, unknown>): Promise<Response> {
  return admin.put('/api/oidc/settings', { ...settings, ...change });
}

function leave(
  name: string,
  { browser = new Browser(), start = '/api/oidc/login?next=/images', at = provider } = {},
) {
  const form = { name, act: name === 'refused' ? 'refuse' : 'login' };
  return atProvider(browser, api.url + start, { provider: at, form });
}

/** The whole login flow. */
async function login(name: string, browser = new Browser(), at = provider): Promise<Page> {
  return browser.go(await leave(name, { browser, at }));
}

async function me(browser: Browser) {
  const response = await fetch(`${api.url}/api/auth/me`, {
    headers: { cookie: `pc_token=${browser.jarOf(api.url).get('pc_token')}` },
  });
  return json(response);
}

async function loggedIn(
  name: string,
  claims: Record<string, unknown> = {},
  browser = new Browser(),
) {
  provider.account(name, { preferred_username: name, ...claims });
  const page = await login(name, browser);
  expect(page).toMatchObject({ status: 302, location: `${api.url}/images` });
  return me(browser);
}

const flowKeys = () => api.redis.keys('portcullis:oidc:flow:*');

async function logins() {
  return (await published(api, 1_000)).filter(({ event }) => event === 'auth.login');
}

/** What the last login left for the page; null without a notice. */
const noticeOf = (browser: Browser) => browser.jarOf(api.url).get('pc_oidc_groups') ?? null;

async function lastLogin() {
  const [event] = await logins();
  return event;
}

function refusedWith(code: string) {
  return { status: 302, location: `${api.url}/login?error=${code}` };
}

describe('a login by OIDC', () => {
  it('creates an account and a session, and redirects to the requested page', async () => {
    provider.account('ann', { preferred_username: 'ann', email: 'ann@example.com' });
    const browser = new Browser();
    const page = await login('ann', browser);
    expect(page).toMatchObject({ status: 302, location: `${api.url}/images` });
    const cookie = page.cookies.find((text) => text.startsWith('pc_token='));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(await me(browser)).toMatchObject({
      username: 'ann',
      auth_source: 'oidc',
      is_admin: false,
    });
    expect(await lastLogin()).toMatchObject({
      outcome: 'success',
      actor: { name: 'ann', auth: 'oidc' },
      path: CALLBACK,
      detail: { account_created: true },
    });
    expect(await api.store.users.findByUsername('ann')).toMatchObject({
      email: 'ann@example.com',
      passwordHash: null,
    });
  });

  it('finds the same account after its name changed', async () => {
    const before = await loggedIn('bea');
    const after = await loggedIn('bea', { preferred_username: 'beatrice' });
    expect(after).toMatchObject({ id: before.id, username: 'bea' });
  });

  it('uses PKCE, state and nonce, which are kept on the server for ten minutes at most', async () => {
    const before = await flowKeys();
    const { location, cookies } = await new Browser().go(`${api.url}/api/oidc/login`);
    const { searchParams } = new URL(location ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: api.url + CALLBACK,
      scope: 'openid profile email',
    });
    expect(cookies).toEqual([expect.stringMatching(/^pc_oidc=.*HttpOnly; SameSite=Lax$/)]);
    const [key = ''] = (await flowKeys()).filter((each) => !before.includes(each));
    expect(await api.redis.ttl(key)).toBeGreaterThan(0);
    expect(await api.redis.ttl(key)).toBeLessThanOrEqual(600);
    const kept = (await api.redis.get(key)) ?? '';
    expect(kept).not.toContain(searchParams.get('nonce'));
  });

  it('fetches claims that the id_token lacks from the provider', async () => {
    await set({
      issuer: terse.issuer,
      groups_claim: 'realm_access.roles',
      allowed_groups: ['staff'],
    });
    terse.account('tia', { preferred_username: 'tia', realm_access: { roles: ['staff'] } });
    const browser = new Browser();
    expect(await login('tia', browser, terse)).toMatchObject({ location: `${api.url}/images` });
    expect(await me(browser)).toMatchObject({ username: 'tia' });
  });

  it('under TLS has cookies that no other host can set', async () => {
    const { url } = second;
    const response = await fetch(`${url}/api/oidc/login`, { redirect: 'manual' });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-pc_oidc=.*Path=\/;.*Secure/),
    ]);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\tevil'])(
    'never leads to %j',
    async (next) => {
      const page = await new Browser().go(
        `${api.url}/api/oidc/login?next=${encodeURIComponent(next)}`,
      );
      expect(page).toMatchObject(refusedWith('VALIDATION_FAILED'));
    },
  );
});

describe('a login is refused', () => {
  beforeEach(() => provider.account('eve', { preferred_username: 'eve' }));

  async function expectRefused(page: Page, code: string): Promise<void> {
    expect(page).toMatchObject(refusedWith(code));
    expect(page.cookies.some((text) => text.startsWith('pc_token='))).toBe(false);
    expect(await lastLogin()).toMatchObject({
      outcome: 'denied',
      path: CALLBACK,
      detail: { code },
    });
  }

  it('with another state', async () => {
    const browser = new Browser();
    const back = new URL(await leave('eve', { browser }));
    back.searchParams.set('state', 'another');
    await expectRefused(await browser.go(back.href), 'OIDC_STATE_INVALID');
  });

  it('without a state', async () => {
    await expectRefused(
      await new Browser().go(`${api.url}${CALLBACK}?code=x`),
      'OIDC_STATE_INVALID',
    );
  });

  it('the second time, though the browser still has its cookie', async () => {
    const browser = new Browser();
    const back = await leave('eve', { browser });
    const jar = browser.jarOf(api.url);
    const cookie = jar.get('pc_oidc') ?? '';
    expect((await browser.go(back)).location).toBe(`${api.url}/images`);
    await expectRefused(await browserWith(cookie).go(back), 'OIDC_STATE_INVALID');
  });

  it('in a browser that did not start it, and then in the one that did', async () => {
    const browser = new Browser();
    const back = await leave('eve', { browser });
    await expectRefused(await new Browser().go(back), 'OIDC_STATE_INVALID');
    const own = await leave('eve');
    await expectRefused(await browserWith('planted').go(own), 'OIDC_STATE_INVALID');
  });

  it('after its expiry', async () => {
    const browser = new Browser();
    const back = await leave('eve', { browser });
    for (const key of await flowKeys()) await api.redis.pexpire(key, 0);
    await expectRefused(await browser.go(back), 'OIDC_STATE_INVALID');
  });

  it('when the configured provider changed meanwhile', async () => {
    const browser = new Browser();
    const back = await leave('eve', { browser });
    await set({ issuer: terse.issuer });
    await expectRefused(await browser.go(back), 'OIDC_STATE_INVALID');
  });

  it('when the code was used already', async () => {
    const [first, other] = [new Browser(), new Browser()];
    const used = new URL(await leave('eve', { browser: first }));
    await first.go(used.href);
    const back = new URL(await leave('eve', { browser: other }));
    back.searchParams.set('code', used.searchParams.get('code') ?? '');
    await expectRefused(await other.go(back.href), 'OIDC_LOGIN_FAILED');
  });

  it('when the provider refused', async () => {
    const browser = new Browser();
    await expectRefused(await login('refused', browser), 'OIDC_DENIED');
    expect((await lastLogin())?.detail.reason).toContain('access_denied');
  });

  it.each([
    ['with another nonce', { nonce: 'another' }],
    ['for another audience', { aud: 'another-client' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ])('with an id_token %s', async (_, lie) => {
    provider.forge((claims) => ({ ...claims, ...lie }));
    await expectRefused(await login('eve'), 'OIDC_LOGIN_FAILED');
  });

  it('with an id_token that has another signature', async () => {
    provider.forge((claims) => claims, 'stranger');
    await expectRefused(await login('eve'), 'OIDC_LOGIN_FAILED');
  });

  it('for a disabled account', async () => {
    const { id } = await loggedIn('dan');
    await api.store.users.update(id, { disabled: true });
    await expectRefused(await login('dan'), 'ACCOUNT_DISABLED');
  });

  it('while the provider is unavailable, which is recorded as a failed login', async () => {
    const gone = await startOidcProvider({ redirectUris: [api.url + CALLBACK] });
    await gone.stop();
    await set({ issuer: gone.issuer });
    const before = await logins();
    const page = await new Browser().go(`${api.url}/api/oidc/login`);
    expect(page).toMatchObject(refusedWith('OIDC_PROVIDER_UNAVAILABLE'));
    const failure = {
      event: 'auth.login',
      outcome: 'failure',
      actor: { id: null, name: 'unknown', auth: 'oidc' },
      status: 503,
      detail: { code: 'OIDC_PROVIDER_UNAVAILABLE' },
    };
    expect(await logins()).toMatchObject([failure, ...before]);
    await set({});
    await new Browser().go(`${api.url}/api/oidc/login`);
    expect(await logins()).toHaveLength(before.length + 1);
  });

  it('where OIDC is not configured', async () => {
    await set({ enabled: false });
    const before = await logins();
    const page = await new Browser().go(`${api.url}${CALLBACK}?code=x&state=y`);
    expect(page).toMatchObject(refusedWith('OIDC_DISABLED'));
    const callbacks = await logins();
    expect(callbacks).toHaveLength(before.length + 1);
    expect(await refusal(fetch(`${api.url}/api/oidc/login`))).toMatchObject({
      code: 'OIDC_DISABLED',
    });
    expect(await logins()).toHaveLength(callbacks.length);
  });
});

function browserWith(cookie: string): Browser {
  const browser = new Browser();
  browser.jarOf(api.url).set('pc_oidc', cookie);
  return browser;
}

describe('an identity', () => {
  it('never takes over a local account: it gets a name beside it', async () => {
    const local = await api.account('carl');
    const account = await loggedIn('carl-there', { preferred_username: 'CARL' });
    expect(account).toMatchObject({ username: 'CARL-2', auth_source: 'oidc' });
    expect(account.id).not.toBe(local);
    expect((await api.as('carl')).token).toBeTypeOf('string');
  });

  it('with the name of another account is a separate account', async () => {
    const one = await loggedIn('x1', { preferred_username: 'xavier' });
    const other = await loggedIn('x2', { preferred_username: 'xavier' });
    expect([one.username, other.username]).toEqual(['xavier', 'xavier-2']);
  });

  it('gets no account where a thousand have its name', async () => {
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    await sql.query(`INSERT INTO users (id, username, username_key, auth_source)
      SELECT gen_random_uuid(), name, name, 'local'
        FROM generate_series(1, 999) AS n, concat('crowd', '-' || nullif(n, 1)) AS name`);
    await sql.end();
    provider.account('crowd-there', { preferred_username: 'crowd' });
    expect(await login('crowd-there')).toMatchObject(refusedWith('OIDC_USERNAME_TAKEN'));
  });

  it('is one account, even with two logins at once', async () => {
    provider.account('twin', { preferred_username: 'twin' });
    const browsers = [new Browser(), new Browser(), new Browser()];
    await Promise.all(browsers.map((browser) => login('twin', browser)));
    const accounts = await Promise.all(browsers.map(me));
    expect(new Set(accounts.map(({ username }) => username))).toEqual(new Set(['twin']));
  });

  it.each([
    ['the claim that the settings name', { email: 'z@example.com' }, 'email', 'z@example.com'],
    [
      'the subject where no claim says a name',
      { preferred_username: ' \u202e: ' },
      'nickname',
      'z-1',
    ],
  ])('is named by %s', async (_, claims, username_claim, expected) => {
    await set({ username_claim });
    const name = username_claim === 'email' ? 'z-0' : 'z-1';
    expect((await loggedIn(name, { preferred_username: undefined, ...claims })).username).toBe(
      expected,
    );
  });
});

describe('the provider’s groups', () => {
  const namesOf = ({ groups }: { groups: { name: string }[] }) => groups.map(({ name }) => name);

  it('become groups here at each login, and those added by hand stay', async () => {
    const [dev, ops, own] = await Promise.all(
      ['developers', 'operators', 'own'].map((name) => api.store.groups.insertGroup({ name })),
    );
    expect([dev, ops]).not.toContain(undefined);
    await set({
      group_mapping: [
        { claim: 'idp-dev', group: 'developers' },
        { claim: 'idp-ops', group: 'operators' },
        { claim: 'idp-ops', group: 'not here' },
      ],
    });
    const first = await loggedIn('gil', { groups: ['idp-dev', 'other'] });
    expect(namesOf(first)).toEqual(['developers']);
    await api.store.groups.addMember(own?.id ?? '', first.id);
    expect(namesOf(await loggedIn('gil', { groups: ['idp-ops'] }))).toEqual(['operators', 'own']);
    expect((await lastLogin())?.detail).toMatchObject({
      groups: ['operators'],
      missing_groups: ['not here'],
    });
    expect(namesOf(await loggedIn('gil', { groups: 'idp-dev' }))).toEqual(['developers', 'own']);
    expect(namesOf(await loggedIn('gil', { groups: [{ id: '1', name: 'idp-ops' }] }))).toEqual([
      'operators',
      'own',
    ]);
    expect(namesOf(await loggedIn('gil', { groups: [] }))).toEqual(['own']);
  });

  it.each([
    ['absent', () => ({ groups: undefined })],
    ['absent', () => ({ groups: null })],
    [
      'overage',
      () => ({
        groups: undefined,
        _claim_names: { groups: 's' },
        _claim_sources: { s: { endpoint: 'https://graph.example/none' } },
      }),
    ],
    ['unreadable', () => ({ groups: [{ members: 3 }] })],
  ])('take nothing away where they are %s', async (unknown, forged) => {
    await api.store.groups.insertGroup({ name: 'keepers' }).catch(() => null);
    await set({
      admin_groups: ['chiefs'],
      group_mapping: [{ claim: 'chiefs', group: 'keepers' }],
    });
    await loggedIn('liv', { groups: ['chiefs'] });
    provider.forge((claims) => ({ ...claims, ...forged() }));
    const browser = new Browser();
    const account = await loggedIn('liv', {}, browser);
    expect(account).toMatchObject({ is_admin: true });
    expect(namesOf(account)).toEqual(['keepers']);
    expect((await lastLogin())?.detail).toMatchObject({ groups_unknown: unknown });
    expect(noticeOf(browser)).toBe(unknown);
    provider.forge(null);
    expect(await loggedIn('liv', { groups: [] })).toMatchObject({ is_admin: false });
  });

  it('that are mapped to groups that are not here are a notice for the page', async () => {
    await set({ group_mapping: [{ claim: 'idp-gone', group: 'not here' }] });
    const browser = new Browser();
    await loggedIn('moe', { groups: ['idp-gone'] }, browser);
    expect(noticeOf(browser)).toBe('not_here');
  });

  it('are no notice where they were applied, or where no setting needs them', async () => {
    await set({ admin_groups: ['chiefs'] });
    const browser = new Browser();
    await loggedIn('noa', { groups: ['other'] }, browser);
    expect(noticeOf(browser)).toBeNull();
    await set({});
    await loggedIn('noa', { groups: undefined }, browser);
    expect(noticeOf(browser)).toBeNull();
  });

  it('may be required for the login', async () => {
    await set({ allowed_groups: ['staff', 'guests'] });
    await loggedIn('ida', { groups: ['guests'] });
    provider.account('ida', { preferred_username: 'ida', groups: ['gone'] });
    expect(await login('ida')).toMatchObject(refusedWith('OIDC_NOT_ALLOWED'));
    provider.account('newcomer', { preferred_username: 'newcomer' });
    expect(await login('newcomer')).toMatchObject(refusedWith('OIDC_GROUPS_MISSING'));
    expect(await api.store.users.findByUsername('newcomer')).toBeNull();
  });

  it('grant and revoke the administrator role, except for the last administrator', async () => {
    await set({ admin_groups: ['chiefs'] });
    expect(await loggedIn('jo', { groups: ['chiefs'] })).toMatchObject({ is_admin: true });
    expect(await loggedIn('jo', { groups: [] })).toMatchObject({ is_admin: false });
    expect(await loggedIn('jo', { groups: ['chiefs'] })).toMatchObject({ is_admin: true });
    const { id: root } = (await api.store.users.findByUsername('root')) ?? { id: '' };
    await api.store.users.update(root, { isAdmin: false });
    expect(await loggedIn('jo', { groups: [] })).toMatchObject({ is_admin: true });
    expect((await lastLogin())?.detail).toMatchObject({ kept_as_last_admin: true });
    await api.store.users.update(root, { isAdmin: true });
    expect(await loggedIn('jo', { groups: [] })).toMatchObject({ is_admin: false });
  });

  it('do not change administrators set by hand if no group determines them', async () => {
    const { id } = await loggedIn('kay');
    await api.store.users.update(id, { isAdmin: true });
    expect(await loggedIn('kay')).toMatchObject({ is_admin: true });
    await api.store.users.update(id, { isAdmin: false });
  });
});

describe('the settings', () => {
  it('are shown without the secret, which an absent or masked one keeps', async () => {
    const shown = await json(admin.get('/api/oidc/settings'));
    expect(shown).toMatchObject({
      issuer: provider.issuer,
      client_secret: '********',
      oidc_only: false,
    });
    const kept = JSON.stringify(await api.store.settings.find('oidc'));
    expect(kept).not.toContain(provider.clientSecret);
    await admin.put('/api/oidc/settings', { ...shown, provider_name: 'Masked' });
    await admin.put('/api/oidc/settings', { provider_name: 'Absent' });
    await loggedIn('lea');
    await admin.put('/api/oidc/settings', { client_secret: null });
    expect(await json(admin.get('/api/oidc/settings'))).toMatchObject({
      client_secret: null,
    });
    expect(await login('lea')).toMatchObject(refusedWith('OIDC_LOGIN_FAILED'));
  });

  it('take effect in every process within a second', async () => {
    const names = async () => (await json(fetch(`${second.url}/api/oidc/config`))).provider_name;
    expect(await names()).toBe('Example');
    await set({ provider_name: 'Changed' });
    await withinASecond(async () => expect(await names()).toBe('Changed'));
    await set({ enabled: false });
    const enabled = async () => (await json(fetch(`${second.url}/api/oidc/config`))).enabled;
    await withinASecond(async () => expect(await enabled()).toBe(false));
  });

  it.each([
    ['an issuer that is plain HTTP elsewhere', { issuer: 'http://id.example.com' }, ['issuer']],
    ['no issuer', { issuer: null }, ['issuer']],
    ['no client', { client_id: null }, ['client_id']],
    ['an issuer that is no URL', { issuer: 'id.example.com' }, ['issuer']],
    ['a certificate that is none', { ca_cert: 'x' }, ['ca_cert']],
    ['an unknown field', { color: 'red' }, ['color']],
  ])('with %s are refused', async (_, change, paths) => {
    const response = await set(change);
    expect(response.status).toBe(422);
    expect((await response.json()).errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  it('may allow plain HTTP', async () => {
    expect((await set({ issuer: 'http://id.example.com', allow_insecure: true })).status).toBe(200);
  });

  it('change with an audit event that names the fields only', async () => {
    await admin.put('/api/oidc/settings', { client_secret: 'very secret' });
    const [event] = await published(api, 1);
    expect(event).toMatchObject({ event: 'oidc.settings', detail: { fields: ['client_secret'] } });
    expect(JSON.stringify(event)).not.toContain('very secret');
    expect(api.log.join('\n')).not.toContain('very secret');
  });
});

describe('OIDC_ONLY', () => {
  const password = (name: string) =>
    fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: name, password: `pass-of-${name}` }),
    });
  const codeOf = async (response: Response) => [response.status, (await response.json()).code];

  it('can’t be enabled before an administrator has logged in by the provider', async () => {
    expect(await codeOf(await set({ oidc_only: true }))).toEqual([409, 'OIDC_ONLY_NO_ADMIN']);
    await loggedIn('lou');
    expect(await codeOf(await set({ oidc_only: true }))).toEqual([409, 'OIDC_ONLY_NO_ADMIN']);
  });

  it('disables passwords for all accounts, on REST and on /v2, within a second in every process', async () => {
    await api.account('mia');
    const { id } = await loggedIn('max');
    await api.store.users.update(id, { isAdmin: true });
    const basic = `Basic ${Buffer.from('mia:pass-of-mia').toString('base64')}`;
    const v2 = () => fetch(`${second.url}/v2/`, { headers: { authorization: basic } });
    expect((await v2()).status).toBe(200);
    expect((await set({ oidc_only: true })).status).toBe(200);
    expect(await codeOf(await password('mia'))).toEqual([403, 'OIDC_ONLY']);
    expect(await codeOf(await password('root'))).toEqual([403, 'OIDC_ONLY']);
    expect(await codeOf(await password('nobody'))).toEqual([403, 'OIDC_ONLY']);
    await withinASecond(async () => expect((await v2()).status).toBe(401));
    expect(await json(fetch(`${api.url}/api/oidc/config`))).toMatchObject({
      oidc_only: true,
    });
    await loggedIn('max');
    await set({});
    expect((await password('mia')).status).toBe(200);
  });

  it('accepts passwords of administrators again while none can log in by the provider', async () => {
    const { id } = await loggedIn('max');
    await api.store.users.update(id, { isAdmin: true });
    await set({ oidc_only: true });
    await api.store.users.update(id, { disabled: true });
    expect(await codeOf(await password('mia'))).toEqual([403, 'OIDC_ONLY']);
    expect((await password('root')).status).toBe(200);
    expect(await json(fetch(`${api.url}/api/oidc/config`))).toMatchObject({
      oidc_only: false,
    });
    await api.store.users.update(id, { disabled: false, isAdmin: false });
  });
});

describe('the connection test', () => {
  const tried = async (change: Record<string, unknown> = {}) => {
    const response = await admin.post('/api/oidc/test', change);
    const {
      success,
      steps,
    }: { success: boolean; steps: { name: string; ok: boolean; detail: string }[] } =
      await json(response);
    const failed = steps.filter(({ ok }) => !ok).map(({ name }) => name);
    return { success, failed, steps, text: JSON.stringify(steps) };
  };

  it('goes through every step, and says what to register', async () => {
    const { success, steps, text } = await tried();
    expect(success).toBe(true);
    expect(steps.map(({ name }) => name)).toEqual([
      'settings',
      'discovery',
      'issuer',
      'endpoints',
      'keys',
      'pkce',
      'client',
      'redirect_uri',
      'logout',
      'groups_claim',
      'groups',
    ]);
    expect(text).toContain(api.url + CALLBACK);
    expect(text).not.toContain(provider.clientSecret);
  });

  it.each<[string, () => Record<string, unknown>, string[]]>([
    ['a wrong secret', () => ({ client_secret: 'wrong' }), ['client']],
    ['an unknown client', () => ({ client_id: 'unknown' }), ['client']],
    ['no provider at the address', () => ({ issuer: 'http://127.0.0.1:1' }), ['discovery']],
    [
      'a provider of another name',
      () => ({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') }),
      ['issuer'],
    ],
    [
      'a group that isn’t here',
      () => ({ group_mapping: [{ claim: 'a', group: 'nowhere' }] }),
      ['groups'],
    ],
    ['an issuer that is missing', () => ({ issuer: null }), ['settings']],
    ['our own registry for a provider', () => ({ issuer: api.registry.url }), ['discovery']],
    [
      'a metadata address',
      () => ({ issuer: 'http://169.254.169.254', allow_insecure: true }),
      ['discovery'],
    ],
  ])('finds %s', async (_, change, failed) => {
    expect(await tried(change())).toMatchObject({ success: false, failed });
  });

  it('says why our own services and metadata addresses are not asked', async () => {
    expect((await tried({ issuer: api.registry.url })).text).toContain('internal service');
  });

  it('changes nothing', async () => {
    await tried({ provider_name: 'Tried' });
    expect(await json(admin.get('/api/oidc/settings'))).toMatchObject({
      provider_name: 'Example',
    });
  });
});

describe('the logout', () => {
  it('redirects to the provider, which identifies the session by the id_token, and returns', async () => {
    provider.account('ned', { preferred_username: 'ned' });
    const browser = new Browser();
    await login('ned', browser);
    const { location } = await browser.go(`${api.url}/api/oidc/logout`);
    const { origin, searchParams } = new URL(location ?? '');
    expect(origin).toBe(provider.issuer);
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${api.url}/login`);
    expect(searchParams.get('id_token_hint')).toMatch(/^ey/);
    expect(browser.jarOf(api.url).has('pc_oidc_logout')).toBe(false);
    const again = await browser.go(`${api.url}/api/oidc/logout`);
    expect(new URL(again.location ?? '').searchParams.has('id_token_hint')).toBe(false);
  });

  it('ends at the login page without a provider', async () => {
    await set({ enabled: false });
    expect(await new Browser().go(`${api.url}/api/oidc/logout`)).toMatchObject({
      location: `${api.url}/login`,
    });
  });
});
