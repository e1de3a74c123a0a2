/** What machines may not do: each refusal has a code, and is an audit event that names it. */
import { IDENTITY_TOKEN_TYPES, TOKEN_EXCHANGE } from '@portcullis/contract';
import type { TokenScope } from '@portcullis/domain';
import { type CiIssuer, githubClaims, json, startCiIssuer } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let issuer: CiIssuer;
let robot: { id: string; name: string };

beforeAll(async () => {
  [api, issuer] = await Promise.all([
    startApi({ LOGIN_LIMIT_PER_ADDRESS: '1000' }),
    startCiIssuer(),
  ]);
  const boss = await api.account('boss', { isAdmin: true });
  admin = await api.as('boss');
  const { groupId } = await api.grant(boss, 'team', { canPull: true, canPush: true });
  await api.store.folders.insertFolder({ name: 'other' });
  const order = { name: 'acme-ci', owner_group_id: groupId };
  robot = await json(admin.post('/api/robots', order));
});
afterAll(async () => {
  await api?.stop();
  await issuer?.stop();
});

async function tokenOf(scope: Partial<TokenScope>): Promise<{ id: string; token: string }> {
  const response = await admin.post(`/api/robots/${robot.id}/tokens`, { name: 'ci', scope });
  expect(response.status).toBe(201);
  return response.json();
}

async function registry(path: string, password: string, method = 'GET', username = robot.name) {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const response = await fetch(api.url + path, { method, headers });
  const body = await response.json().catch(() => null);
  return [response.status, body?.errors?.[0]?.code];
}

async function rest(path: string, token: string) {
  const response = await fetch(`${api.url}/api${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return [response.status, (await response.json()).code];
}

async function exchange(token: string) {
  const response = await fetch(`${api.url}/api/auth/exchange`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token: token,
      subject_token_type: IDENTITY_TOKEN_TYPES[0],
    }),
  });
  return [response.status, (await response.json()).code];
}

async function refused(response: Response) {
  const { code, errors } = await response.json();
  return [response.status, code, errors];
}

const lastEvent = async () => (await published(api, 1))[0];

const trust = (conditions: object) => ({
  name: 'main',
  issuer: issuer.issuer,
  audience: 'portcullis',
  robot_id: robot.id,
  scope: { api: true, registry: true },
  conditions,
});

it('a token beyond the rights of its account', async () => {
  const { id, token } = await tokenOf({ api: true, registry: true });
  const actor = { name: robot.name, auth: 'token', token_id: id };
  const push = '/v2/other/app/blobs/uploads/';
  expect(await registry(push, token, 'POST')).toEqual([403, 'DENIED']);
  await expect.poll(lastEvent).toMatchObject({ outcome: 'denied', status: 403, actor });
  expect(await rest('/auth/users', token)).toEqual([403, 'ADMIN_ONLY']);
  await expect.poll(lastEvent).toMatchObject({
    ...{ event: 'request.denied', outcome: 'denied', actor, detail: { code: 'ADMIN_ONLY' } },
  });
});

it('a token beyond its scope', async () => {
  const { id, token } = await tokenOf({ api: true, registry: true, actions: ['pull'] });
  const actor = { name: robot.name, auth: 'token', token_id: id };
  const push = '/v2/team/app/blobs/uploads/';
  expect(await registry(push, token, 'POST')).toEqual([403, 'DENIED']);
  await expect.poll(lastEvent).toMatchObject({ outcome: 'denied', status: 403, actor });
  expect(await rest('/transfer/schedules', token)).toEqual([403, 'TOKEN_ACTION']);
  await expect.poll(lastEvent).toMatchObject({
    ...{ event: 'request.denied', outcome: 'denied', actor, detail: { code: 'TOKEN_ACTION' } },
  });
});

it('an identity token of another audience, one that has expired and one that was used', async () => {
  expect((await admin.post('/api/trusts', trust({ repository: ['acme/app'] }))).status).toBe(201);
  const expired = { exp: Math.floor(Date.now() / 1000) - 60 };
  const used = issuer.sign(githubClaims());
  expect((await exchange(used))[0]).toBe(200);
  const refusals = [
    [issuer.sign(githubClaims({ aud: 'sigstore' })), 'IDENTITY_UNTRUSTED'],
    [issuer.sign(githubClaims(expired)), 'IDENTITY_TOKEN_EXPIRED'],
    [used, 'IDENTITY_TOKEN_REPLAYED'],
  ] as const;
  for (const [token, code] of refusals) {
    expect(await exchange(token)).toEqual([401, code]);
    await expect
      .poll(lastEvent)
      .toMatchObject({ event: 'auth.exchange', outcome: 'denied', status: 401, detail: { code } });
    expect(await registry('/v2/', token, 'GET', 'oidc')).toEqual([401, 'UNAUTHORIZED']);
    await expect.poll(lastEvent).toMatchObject({ path: '/v2/', outcome: 'denied', status: 401 });
  }
});

it.each([[{ repository: ['*/*'] }], [{ repository: ['**'] }], [{ ref: ['refs/heads/main'] }]])(
  'a trust rule that would match any owner: %j',
  async (conditions) => {
    const answer = await refused(await admin.post('/api/trusts', trust(conditions)));
    const errors = [{ path: 'conditions', code: 'TRUST_TOO_WIDE' }];
    expect(answer).toMatchObject([422, 'VALIDATION_FAILED', errors]);
    await expect.poll(lastEvent).toMatchObject({
      ...{ event: 'trust.create', outcome: 'failure', status: 422, actor: { name: 'boss' } },
      detail: { code: 'VALIDATION_FAILED', faults: ['TRUST_TOO_WIDE'] },
    });
  },
);

it.each([
  ['http://10.1.2.3/hook?token=s3cret', 'URL_PRIVATE'],
  ['http://169.254.169.254/s3cret', 'URL_DENIED'],
])('a webhook to the address %s', async (url, code) => {
  const answer = await refused(await admin.post('/api/webhooks', { name: 'hook', url }));
  expect(answer).toMatchObject([422, code, [{ path: 'url', code }]]);
  await expect.poll(lastEvent).toMatchObject({
    ...{ event: 'webhook.create', outcome: 'failure', status: 422, actor: { name: 'boss' } },
    detail: { code },
  });
  expect(JSON.stringify(await lastEvent())).not.toContain('s3cret');
});
