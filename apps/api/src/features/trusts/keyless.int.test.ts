/** Keyless sign-in: identity tokens of CI systems on the REST API and on `/v2`. */
import { randomUUID } from 'node:crypto';
import { ACCESS_TOKEN_TYPE, IDENTITY_TOKEN_TYPES, TOKEN_EXCHANGE } from '@portcullis/contract';
import { GUESSES_PREFIX } from '@portcullis/domain';
import {
  type CiIssuer,
  githubClaims,
  gitlabClaims,
  json,
  openSql,
  startCiIssuer,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let issuer: CiIssuer;
let robotId: string;

beforeAll(async () => {
  [api, issuer] = await Promise.all([
    startApi({ LOGIN_LIMIT_PER_ADDRESS: '1000' }),
    startCiIssuer(),
  ]);
  const boss = await api.account('boss', { isAdmin: true });
  admin = await api.as('boss');
  const { groupId } = await api.grant(boss, 'team', { canPull: true, canPush: true });
  const order = { name: 'acme-ci', owner_group_id: groupId };
  robotId = (await json(admin.post('/api/robots', order))).id;
});
afterAll(async () => {
  await api?.stop();
  await issuer?.stop();
});

beforeEach(async () => {
  for (const { id } of await api.store.identityTrusts.list())
    await api.store.identityTrusts.remove(id);
  issuer.fail(null);
});

async function trust(body: object = {}) {
  const order = {
    name: 'main',
    issuer: issuer.issuer,
    audience: 'portcullis',
    conditions: { repository: ['acme/app'], ref: ['refs/heads/main'] },
    robot_id: robotId,
    scope: { api: true, registry: true },
    ...body,
  };
  const response = await admin.post('/api/trusts', order);
  return { status: response.status, body: await response.json() };
}

async function exchange(token: string, more: Record<string, string> = {}, { url } = api) {
  const response = await fetch(`${url}/api/auth/exchange`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token: token,
      subject_token_type: IDENTITY_TOKEN_TYPES[0],
      ...more,
    }),
  });
  const body = await response.json();
  return { status: response.status, code: body.code, body };
}

async function registryStatus(token: string, path = '/v2/', username = 'oidc') {
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  const response = await fetch(api.url + path, { headers: { authorization: `Basic ${basic}` } });
  await response.body?.cancel();
  return response.status;
}

async function apiStatus(token: string) {
  const response = await fetch(`${api.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: await response.json() };
}

describe('an identity token', () => {
  it.each([
    ['GitHub Actions', githubClaims, { repository: ['acme/app'], ref: ['refs/heads/*'] }],
    ['GitLab CI', gitlabClaims, { project_path: ['acme/*'], ref_protected: ['true'] }],
    [
      'a Kubernetes service account',
      () => ({ sub: 'system:serviceaccount:ci:builder', aud: ['portcullis', 'other'] }),
      { sub: ['system:serviceaccount:ci:*'] },
    ],
  ])('of %s becomes a token of the robot', async (_, claims, conditions) => {
    expect((await trust({ conditions, minutes: 10 })).status).toBe(201);
    const { status, body } = await exchange(issuer.sign(claims()));
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^pcr_/),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 600,
        username: 'acme-ci',
      },
    ]);
    expect(await apiStatus(body.access_token)).toMatchObject({
      status: 200,
      body: { username: 'acme-ci', auth_source: 'robot' },
    });
    expect(await registryStatus(body.access_token, '/v2/team/app/tags/list', 'acme-ci')).toBe(404);
    expect(await registryStatus(body.access_token, '/v2/other/app/tags/list', 'acme-ci')).toBe(403);
  });

  it.each([
    ['of another repository', { repository: 'acme/other' }, {}, 'IDENTITY_UNTRUSTED'],
    ['of another branch', { ref: 'refs/heads/dev' }, {}, 'IDENTITY_UNTRUSTED'],
    ['for another audience', { aud: 'https://sigstore.dev' }, {}, 'IDENTITY_UNTRUSTED'],
    ['that has expired', { exp: seconds(-60) }, {}, 'IDENTITY_TOKEN_EXPIRED'],
    ['that is not valid yet', { nbf: seconds(120) }, {}, 'IDENTITY_TOKEN_INVALID'],
    ['that was issued long ago', { iat: seconds(-7200) }, {}, 'IDENTITY_TOKEN_EXPIRED'],
    ['without an end', { exp: undefined }, {}, 'IDENTITY_TOKEN_INVALID'],
    ['without an audience', { aud: undefined }, {}, 'IDENTITY_TOKEN_INVALID'],
    ['signed by another key', {}, { stranger: true }, 'IDENTITY_TOKEN_INVALID'],
    ['that is not signed', {}, { algorithm: 'none' }, 'IDENTITY_TOKEN_INVALID'],
    ['signed with a shared key', {}, { algorithm: 'HS256' }, 'IDENTITY_TOKEN_INVALID'],
    ['of a key that does not exist', {}, { kid: 'x' }, 'IDENTITY_TOKEN_INVALID'],
  ] as const)('%s is refused, and audited', async (_, claims, how, code) => {
    await trust();
    const token = issuer.sign(githubClaims(claims), how);
    expect(await exchange(token)).toMatchObject({ status: 401, code });
    expect(await registryStatus(token)).toBe(401);
    await expect.poll(lastEvent).toMatchObject({
      event: 'auth.exchange',
      outcome: 'denied',
      detail: { code },
    });
    expect(JSON.stringify(await lastEvent())).not.toContain(token);
  });

  it('of an issuer that no rule names is refused without a request to it', async () => {
    await using other = await startCiIssuer();
    await trust();
    const refused = await exchange(other.sign(githubClaims()));
    expect(refused).toMatchObject({ status: 401, code: 'IDENTITY_UNTRUSTED' });
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['an object', { contains: '' }],
    ['a number', 5],
    ['a list', ['x']],
    ['NUL', 'https://x\u0000'],
  ])('whose issuer is %s is refused without a request to any issuer', async (_, iss) => {
    await using known = await startCiIssuer();
    await trust({ issuer: known.issuer });
    const token = known.sign(githubClaims({ iss }));
    expect(await exchange(token)).toMatchObject({ status: 401, code: 'IDENTITY_TOKEN_INVALID' });
    expect(await registryStatus(token)).toBe(401);
    expect(known.requests).toEqual([]);
  });

  it('that is no token is refused', async () => {
    expect(await exchange('not a token')).toMatchObject({ code: 'IDENTITY_TOKEN_INVALID' });
    expect(await exchange('a.b.c')).toMatchObject({ code: 'IDENTITY_TOKEN_INVALID' });
  });

  it('is exchanged once', async () => {
    await trust();
    const token = issuer.sign(githubClaims());
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(answers.find(({ status }) => status === 401)?.code).toBe('IDENTITY_TOKEN_REPLAYED');
    expect(await registryStatus(token)).toBe(401);
  });

  it('is exchanged again by who shows what was given for it last', async () => {
    await trust();
    const token = issuer.sign(githubClaims());
    const again = async (actor_token: string) =>
      exchange(token, { actor_token, actor_token_type: ACCESS_TOKEN_TYPE });
    const first = (await exchange(token)).body.access_token;
    const others = (await exchange(issuer.sign(githubClaims()))).body.access_token;
    for (const wrong of [others, 'pcr_x'])
      expect(await again(wrong)).toMatchObject({ status: 401, code: 'IDENTITY_TOKEN_REPLAYED' });
    const both = await Promise.all([again(first), again(first)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const second = both.find(({ status }) => status === 200)?.body.access_token;
    expect((await apiStatus(second)).status).toBe(200);
    expect(await again(first)).toMatchObject({ code: 'IDENTITY_TOKEN_REPLAYED' });
    expect((await again(second)).status).toBe(200);
    expect(await registryStatus(token)).toBe(401);
  });

  it('is not used up where nothing was given for it', async () => {
    await trust();
    const token = issuer.sign(githubClaims());
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    const failing = async (work: () => ReturnType<typeof exchange>) => {
      await sql.query('ALTER TABLE personal_tokens ADD CONSTRAINT down CHECK (false) NOT VALID');
      const { status } = await work();
      await sql.query('ALTER TABLE personal_tokens DROP CONSTRAINT down');
      return status;
    };
    expect(await failing(() => exchange(token))).toBe(500);
    const first = await exchange(token);
    expect(first.status).toBe(200);
    expect((await exchange(token)).code).toBe('IDENTITY_TOKEN_REPLAYED');
    const shown = { actor_token: first.body.access_token, actor_token_type: ACCESS_TOKEN_TYPE };
    expect(await failing(() => exchange(token, shown))).toBe(500);
    expect((await exchange(token, shown)).status).toBe(200);
    expect((await exchange(token, shown)).code).toBe('IDENTITY_TOKEN_REPLAYED');
    await sql.end();
  });

  it('that was a password on /v2 is not exchanged, whatever is shown', async () => {
    await trust();
    const token = issuer.sign(githubClaims());
    const given = (await exchange(issuer.sign(githubClaims()))).body.access_token;
    expect(await registryStatus(token, '/v2/team/app/tags/list')).toBe(404);
    const again = await exchange(token, { actor_token: given });
    expect(again).toMatchObject({ status: 401, code: 'IDENTITY_TOKEN_REPLAYED' });
  });

  it('is a password on /v2 until it expires, and then not exchanged', async () => {
    await trust();
    const token = issuer.sign(githubClaims());
    const statuses = await Promise.all(
      Array.from({ length: 4 }, () => registryStatus(token, '/v2/team/app/tags/list')),
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
    expect(await registryStatus(token, '/v2/other/app/tags/list')).toBe(403);
    expect(await exchange(token)).toMatchObject({ code: 'IDENTITY_TOKEN_REPLAYED' });
    expect(await registryStatus(token, '/v2/', 'acme-ci')).toBe(401);
  });

  it('is accepted after the issuer has rotated its keys', async () => {
    await using rotating = await startCiIssuer();
    await trust({ issuer: rotating.issuer });
    expect((await exchange(rotating.sign(githubClaims()))).status).toBe(200);
    const asked = rotating.requests.length;
    expect((await exchange(rotating.sign(githubClaims()))).status).toBe(200);
    expect(rotating.requests.length).toBe(asked);
    const old = rotating.sign(githubClaims());
    rotating.rotate();
    await expect
      .poll(async () => (await exchange(rotating.sign(githubClaims()))).status, {
        interval: 500,
      })
      .toBe(200);
    expect((await exchange(old)).code).toBe('IDENTITY_TOKEN_INVALID');
  });

  it('is not accepted while the issuer is not reachable, and is accepted afterwards', async () => {
    await using down = await startCiIssuer();
    await trust({ issuer: down.issuer });
    down.fail(503);
    const token = down.sign(githubClaims());
    expect(await exchange(token)).toMatchObject({ status: 503, code: 'ISSUER_UNAVAILABLE' });
    down.fail(null);
    await expect.poll(async () => (await exchange(token)).status, { interval: 500 }).toBe(200);
  });
});

describe('the form of an exchange', () => {
  it('may be JSON as well', async () => {
    await trust();
    const response = await admin.post('/api/auth/exchange', {
      grant_type: TOKEN_EXCHANGE,
      subject_token: issuer.sign(githubClaims()),
      subject_token_type: IDENTITY_TOKEN_TYPES[1],
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['an unknown field', { resource: 'x' }],
    ['another grant', { grant_type: 'password' }],
    ['another type of token', { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }],
  ])('with %s is refused', async (_, more) => {
    expect(await exchange('a.b.c', more)).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
  });

  it('with a field twice is refused', async () => {
    const form = new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token: 'a.b.c',
      subject_token_type: IDENTITY_TOKEN_TYPES[0],
    });
    form.append('subject_token', 'd.e.f');
    const response = await fetch(`${api.url}/api/auth/exchange`, { method: 'POST', body: form });
    expect(response.status).toBe(422);
  });

  it('names the rule, where several accept the token', async () => {
    await trust();
    const second = { name: 'pulls', scope: { registry: true, actions: ['pull'] }, minutes: 1 };
    await trust(second);
    const token = issuer.sign(githubClaims());
    const { body } = await exchange(token, { trust: 'pulls' });
    expect(body.expires_in).toBe(60);
    expect(await exchange(issuer.sign(githubClaims()), { trust: 'none' })).toMatchObject({
      code: 'IDENTITY_UNTRUSTED',
    });
  });
});

describe('a trust rule', () => {
  it.each([
    [{ ref: ['refs/heads/main'] }],
    [{ repository: ['*/app'] }],
    [{ sub: ['**'] }],
    [{ repository_owner: ['ac*'] }],
  ])('that would match tokens of any owner is refused: %j', async (conditions) => {
    const { status, body } = await trust({ conditions });
    expect([status, body.errors]).toMatchObject([
      422,
      [{ path: 'conditions', code: 'TRUST_TOO_WIDE' }],
    ]);
  });

  it.each([
    ['issuer', { issuer: 'http://issuer.example' }, 'ISSUER_NOT_HTTPS'],
    ['minutes', { minutes: 16 }, 'TOO_LARGE'],
    ['conditions.repository.0', { conditions: { repository: ['a/***'] } }, 'CLAIM_PATTERN_INVALID'],
  ])('names the field %s that is wrong', async (path, wrong, code) => {
    const { status, body } = await trust(wrong);
    expect([status, body.errors]).toMatchObject([422, [{ path, code }]]);
  });

  it('that is changed or deleted ends what it gave', async () => {
    const { body: made } = await trust();
    const first = (await exchange(issuer.sign(githubClaims()))).body.access_token;
    expect((await apiStatus(first)).status).toBe(200);
    await admin.patch(`/api/trusts/${made.id}`, { conditions: { repository: ['acme/app'] } });
    expect((await apiStatus(first)).status).toBe(401);
    const second = (await exchange(issuer.sign(githubClaims()))).body.access_token;
    expect((await apiStatus(second)).status).toBe(200);
    await admin.delete(`/api/trusts/${made.id}`);
    expect((await apiStatus(second)).status).toBe(401);
  });

  it('that is not there is neither changed nor deleted', async () => {
    const path = `/api/trusts/${randomUUID()}`;
    for (const answer of [admin.patch(path, { enabled: false }), admin.delete(path)])
      expect(await codeOf(answer)).toEqual([404, 'TRUST_UNKNOWN']);
  });

  it('that is off accepts nothing', async () => {
    await trust({ enabled: false });
    expect((await exchange(issuer.sign(githubClaims()))).code).toBe('IDENTITY_UNTRUSTED');
  });

  it('of a disabled robot accepts nothing', async () => {
    await trust();
    await admin.patch(`/api/robots/${robotId}`, { disabled: true });
    expect((await exchange(issuer.sign(githubClaims()))).code).toBe('IDENTITY_UNTRUSTED');
    const token = issuer.sign(githubClaims());
    const tested = await json(admin.post('/api/trusts/test', { token }));
    expect(tested).toMatchObject({ fault: null, rules: [{ accepts: false, enabled: false }] });
    await admin.patch(`/api/robots/${robotId}`, { disabled: false });
  });

  it('says what it thinks of a token, without using it', async () => {
    await trust();
    const token = issuer.sign(githubClaims({ ref: 'refs/heads/dev' }));
    const response = await admin.post('/api/trusts/test', { token });
    expect(await json(response)).toMatchObject({
      fault: null,
      audiences: ['portcullis'],
      claims: { repository: 'acme/app', ref: 'refs/heads/dev' },
      rules: [
        {
          name: 'main',
          accepts: false,
          audience_matches: true,
          conditions: [
            { claim: 'ref', found: 'refs/heads/dev', matches: false },
            { claim: 'repository', matches: true },
          ],
        },
      ],
    });
    const stolen = issuer.sign(githubClaims(), { stranger: true });
    expect(await json(admin.post('/api/trusts/test', { token: stolen }))).toMatchObject({
      fault: 'IDENTITY_TOKEN_INVALID',
      rules: [{ accepts: false }],
    });
    const good = issuer.sign(githubClaims());
    await admin.post('/api/trusts/test', { token: good });
    expect((await exchange(good)).status).toBe(200);
  });

  it('is not in the list of tokens of its robot', async () => {
    await trust();
    await exchange(issuer.sign(githubClaims()));
    const listed = await json(admin.get(`/api/robots/${robotId}/tokens`));
    expect(listed).toEqual([]);
  });
});

it('invalid tokens are limited for each address', async () => {
  const strict = await startApi({ LOGIN_LIMIT_PER_ADDRESS: '3' }, api);
  const ask = () =>
    fetch(`${strict.url}/api/auth/exchange`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: TOKEN_EXCHANGE,
        subject_token: 'a.b.c',
        subject_token_type: IDENTITY_TOKEN_TYPES[0],
      }),
    });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push((await ask()).status);
  expect(statuses.at(-1)).toBe(429);
  await strict.stop();
});

it('genuine tokens that no rule accepts are not limited, as of other pods behind one address', async () => {
  await trust();
  const counted = await api.redis.keys(`${GUESSES_PREFIX}address:*`);
  if (counted.length > 0) await api.redis.del(counted);
  const strict = await startApi({ LOGIN_LIMIT_PER_ADDRESS: '3' }, api);
  const stranger = () => issuer.sign(githubClaims({ repository: 'other/app' }));
  const codes: string[] = [];
  for (let n = 0; n < 5; n++) codes.push((await exchange(stranger(), {}, strict)).code);
  expect(new Set(codes)).toEqual(new Set(['IDENTITY_UNTRUSTED']));
  expect((await exchange(issuer.sign(githubClaims()), {}, strict)).status).toBe(200);
  await strict.stop();
});

async function lastEvent() {
  const [event] = await json(admin.get('/api/system/audit?event=auth.exchange'));
  return event;
}

function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1000) + fromNow;
}
