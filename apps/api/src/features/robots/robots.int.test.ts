/** Robots and limited tokens, on the REST API and on `/v2`. */

import { TOKEN_ACTIONS } from '@portcullis/domain';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let member: Client;
let stranger: Client;
let ids: Record<'admin' | 'member' | 'stranger', string>;
let groupId: string;

beforeAll(async () => {
  api = await startApi();
  const [boss, kim, eve] = [
    await api.account('boss', { isAdmin: true }),
    await api.account('kim'),
    await api.account('eve'),
  ];
  ids = { admin: boss, member: kim, stranger: eve };
  ({ groupId } = await api.grant(kim, 'team', {
    canPull: true,
    canPush: true,
    canPullExternal: true,
  }));
  await api.grant(eve, 'other', { canPull: true, canPush: true });
  [admin, member, stranger] = [await api.as('boss'), await api.as('kim'), await api.as('eve')];
});
afterAll(() => api?.stop());

let count = 0;
let robot: { id: string; name: string };

async function makeRobot(body: object = {}) {
  const order = { name: `robot-${++count}`, owner_group_id: groupId, ...body };
  const response = await admin.post('/api/robots', order);
  expect(response.status).toBe(201);
  return response.json();
}

beforeEach(async () => {
  robot = await makeRobot();
});

async function makeToken(scope: unknown = 'docker', by = member, id = robot.id) {
  const body = { name: 'ci', scope, expires_in_days: 10 };
  return by.post(`/api/robots/${id}/tokens`, body);
}

async function tokenOf(scope: unknown, by = member): Promise<{ id: string; token: string }> {
  const response = await makeToken(scope, by);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    201,
    expect.stringContaining('json'),
  ]);
  return response.json();
}

async function v2(token: string, path: string, method = 'GET', username = robot.name) {
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: `Basic ${basic}` },
  });
  await response.body?.cancel();
  return response.status;
}

async function rest(token: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${api.url}/api${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const body = await response.json().catch(() => null);
  return { status: response.status, code: body?.code, body };
}

async function codeOf(response: Response) {
  return [response.status, (await response.json().catch(() => null))?.code];
}

describe('a robot', () => {
  it('is created by administrators, and has the rights of its owning group', async () => {
    expect(robot).toMatchObject({
      owner: { id: groupId },
      groups: [{ id: groupId }],
      tokens: 0,
      disabled: false,
      manageable: true,
    });
    const { token } = await tokenOf('docker');
    expect(await v2(token, '/v2/team/app/tags/list')).toBe(404);
    expect(await v2(token, '/v2/other/app/tags/list')).toBe(403);
  });

  it('is seen by its group and by administrators, and by no other account', async () => {
    const names = async (client: Client) =>
      (await json(client.get('/api/robots'))).map(({ name }: { name: string }) => name);
    expect(await names(member)).toContain(robot.name);
    expect(await names(admin)).toContain(robot.name);
    expect(await names(stranger)).not.toContain(robot.name);
    expect(await codeOf(await stranger.get(`/api/robots/${robot.id}`))).toEqual([
      404,
      'ROBOT_UNKNOWN',
    ]);
    expect((await makeToken('docker', stranger)).status).toBe(404);
  });

  it('is no person: it is in no list of accounts, and no operation of accounts changes it', async () => {
    const listed = await json(admin.get(`/api/auth/users?q=${robot.name}`));
    expect(listed).toEqual([]);
    const path = `/api/auth/users/${robot.id}`;
    for (const response of [
      await admin.get(path),
      await admin.patch(path, { is_admin: true }),
      await admin.patch(path, { password: 'a long password' }),
      await admin.delete(path),
    ])
      expect(await codeOf(response)).toEqual([404, 'USER_UNKNOWN']);
    expect(await v2('a long password', '/v2/')).toBe(401);
  });

  it('has a name that no account has', async () => {
    const taken = await admin.post('/api/robots', { name: 'KIM' });
    expect(await codeOf(taken)).toEqual([409, 'USERNAME_TAKEN']);
  });

  it('with more rights than a member has is managed by administrators alone', async () => {
    const { groupId: more } = await api.grant(ids.admin, 'secret', { canPull: true });
    await admin.patch(`/api/robots/${robot.id}`, { group_ids: [groupId, more] });
    expect(await codeOf(await makeToken())).toEqual([403, 'ROBOT_FORBIDDEN']);
    expect((await makeToken('docker', admin)).status).toBe(201);
    await admin.patch(`/api/robots/${robot.id}`, {
      group_ids: [groupId],
      can_bypass_vuln_block: true,
    });
    expect(await codeOf(await makeToken())).toEqual([403, 'ROBOT_FORBIDDEN']);
  });

  it('that is disabled or deleted has no valid token any more', async () => {
    const { token } = await tokenOf('docker');
    await admin.patch(`/api/robots/${robot.id}`, { disabled: true });
    expect(await v2(token, '/v2/')).toBe(401);
    await admin.patch(`/api/robots/${robot.id}`, { disabled: false });
    expect(await v2(token, '/v2/')).toBe(401);
    const { token: next } = await tokenOf('docker');
    expect(await v2(next, '/v2/')).toBe(200);
    expect((await admin.delete(`/api/robots/${robot.id}`)).status).toBe(204);
    expect(await v2(next, '/v2/')).toBe(401);
  });

  it('loses its rights with its group', async () => {
    const { groupId: own } = await api.grant(ids.member, 'gone', { canPull: true });
    robot = await makeRobot({ owner_group_id: own });
    const { token } = await tokenOf('docker');
    expect(await v2(token, '/v2/gone/app/tags/list')).toBe(404);
    await api.store.groups.remove(own);
    expect(await v2(token, '/v2/gone/app/tags/list')).toBe(403);
    expect((await json(admin.get(`/api/robots/${robot.id}`))).owner).toBeNull();
  });

  it('is in the audit log by its own name and owner', async () => {
    const { id, token } = await tokenOf({ registry: true, api: true, actions: ['pull'] });
    await rest(token, '/auth/users');
    const group = await api.store.groups.get(groupId);
    const events = await json(admin.get(`/api/system/audit?actor=${robot.name}`));
    expect(events[0]).toMatchObject({
      event: 'request.denied',
      actor: { name: robot.name, auth: 'token', token_id: id, robot_of: group.name },
    });
  });
});

it('robots request and review no waivers, since one person may have the tokens of several', async () => {
  const { token } = await tokenOf({ api: true });
  const body = JSON.stringify({
    vulnerability: 'CVE-2026-1',
    folder: 'team',
    status: 'accepted',
    reason: 'x',
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const refused = await rest(token, '/waivers', { method: 'POST', body });
  expect([refused.status, refused.code]).toEqual([403, 'WAIVER_FORBIDDEN']);
});

describe('a token of a robot', () => {
  it('is shown once, and created by a session alone', async () => {
    const { id, token } = await tokenOf('api');
    expect(token).toMatch(/^pcr_/);
    const listed = await (await member.get(`/api/robots/${robot.id}/tokens`)).text();
    expect(listed).toContain(id);
    expect(listed).not.toContain(token);
    const again = await rest(token, `/robots/${robot.id}/tokens`, {
      method: 'POST',
      body: JSON.stringify({ name: 'x', scope: 'api' }),
    });
    expect([again.status, again.code]).toEqual([403, 'SESSION_REQUIRED']);
    const own = await member.post('/api/auth/tokens', { name: 'own', scope: 'api' });
    const byToken = await rest((await json(own)).token, `/robots/${robot.id}/tokens`, {
      method: 'POST',
      body: JSON.stringify({ name: 'x', scope: 'api' }),
    });
    expect([byToken.status, byToken.code]).toEqual([403, 'SESSION_REQUIRED']);
  });

  it('is replaced by a rotation, with an overlap', async () => {
    const former = await tokenOf({ registry: true, folders: ['team'] });
    const path = `/api/robots/${robot.id}/tokens/${former.id}/rotate`;
    const rotated = await json(member.post(path, { overlap_hours: 1 }));
    expect(rotated).toMatchObject({
      name: 'ci',
      scope: { registry: true, api: false, folders: ['team'], actions: 'all' },
    });
    expect(rotated.token).not.toBe(former.token);
    expect([await v2(former.token, '/v2/'), await v2(rotated.token, '/v2/')]).toEqual([200, 200]);
    const at = `/api/robots/${robot.id}/tokens/${rotated.id}/rotate`;
    const last = await json(member.post(at, { overlap_hours: 0 }));
    expect([await v2(rotated.token, '/v2/'), await v2(last.token, '/v2/')]).toEqual([401, 200]);
    const days = (Date.parse(last.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(9.9);
    expect(days).toBeLessThanOrEqual(10);
  });

  it('is revoked at once', async () => {
    const { id, token } = await tokenOf('docker');
    expect(await v2(token, '/v2/')).toBe(200);
    expect((await member.delete(`/api/robots/${robot.id}/tokens/${id}`)).status).toBe(204);
    expect(await v2(token, '/v2/')).toBe(401);
  });

  it('of another robot is unknown', async () => {
    const { id } = await tokenOf('docker');
    const other = await makeRobot();
    const path = `/api/robots/${other.id}/tokens/${id}`;
    expect(await codeOf(await member.delete(path))).toEqual([404, 'TOKEN_UNKNOWN']);
    expect(await codeOf(await member.post(`${path}/rotate`, {}))).toEqual([404, 'TOKEN_UNKNOWN']);
  });

  it('is one of 50 at most', async () => {
    for (let n = 0; n < 50; n++) expect((await makeToken()).status).toBe(201);
    expect(await codeOf(await makeToken())).toEqual([409, 'TOKENS_MANY']);
  });
});

describe('the scope of a token', () => {
  it.each([
    ['nothing', {}, 'TOKEN_SCOPE_EMPTY'],
    ['deletions without pushes', { registry: true, actions: ['delete'] }, 'TOKEN_DELETE_ALONE'],
    ['no folder', { registry: true, folders: [] }, 'TOO_FEW'],
    ['an action that does not exist', { registry: true, actions: ['fly'] }, 'NOT_A_CHOICE'],
    ['a field that does not exist', { registry: true, tags: ['x'] }, 'UNKNOWN_FIELD'],
  ])('is refused for %s, with the field', async (_, scope, code) => {
    const response = await makeToken(scope);
    expect(response.status).toBe(422);
    const { errors } = await response.json();
    expect(errors).toMatchObject([{ path: expect.stringMatching(/^scope/), code }]);
  });

  it('ends at its doors', async () => {
    const { token } = await tokenOf({ registry: true });
    expect(await rest(token, '/auth/me')).toMatchObject({ status: 401, code: 'TOKEN_SCOPE' });
    const { token: apiOnly } = await tokenOf({ api: true });
    expect(await v2(apiOnly, '/v2/')).toBe(401);
    const { token: both } = await tokenOf({ api: true, registry: true });
    expect([(await rest(both, '/auth/me')).status, await v2(both, '/v2/')]).toEqual([200, 200]);
  });

  it('ends at its folders, whatever its account may do', async () => {
    const { groupId: more } = await api.grant(ids.member, 'second', { canPull: true });
    await admin.patch(`/api/robots/${robot.id}`, { group_ids: [groupId, more] });
    const { token } = await tokenOf({ registry: true, folders: ['second'] });
    expect(await v2(token, '/v2/second/app/tags/list')).toBe(404);
    expect(await v2(token, '/v2/team/app/tags/list')).toBe(403);
  });

  it('ends at its actions on /v2', async () => {
    const { token } = await tokenOf({ registry: true, actions: ['pull'] });
    expect(await v2(token, '/v2/team/app/tags/list')).toBe(404);
    expect(await v2(token, '/v2/team/app/blobs/uploads/', 'POST')).toBe(403);
    const { token: pusher } = await tokenOf({ registry: true, actions: ['pull', 'push'] });
    expect(await v2(pusher, '/v2/team/app/blobs/uploads/', 'POST')).toBe(202);
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(await v2(pusher, `/v2/team/app/manifests/${digest}`, 'DELETE')).toBe(403);
    const { token: all } = await tokenOf({ registry: true, actions: [...TOKEN_ACTIONS] });
    expect(await v2(all, `/v2/team/app/manifests/${digest}`, 'DELETE')).toBe(404);
  });

  it('holds for tokens of /v2/token that were issued for it', async () => {
    const { token } = await tokenOf({ registry: true, actions: ['pull'] });
    const basic = Buffer.from(`${robot.name}:${token}`).toString('base64');
    const scope = 'repository:team/app:pull,push';
    const answer = await fetch(`${api.url}/v2/token?service=${api.host}&scope=${scope}`, {
      headers: { authorization: `Basic ${basic}` },
    });
    expect(answer.status).toBe(200);
    const { token: bearer } = await answer.json();
    const pushed = await fetch(`${api.url}/v2/team/app/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(pushed.status).toBe(403);
  });

  it('ends at its actions on the REST API', async () => {
    const { token } = await tokenOf({ api: true, actions: ['report'] });
    expect((await rest(token, '/staging/jobs')).status).toBe(200);
    expect((await rest(token, '/auth/me')).status).toBe(200);
    const refused = [
      await rest(token, '/images/__local__'),
      await rest(token, '/auth/tokens'),
      await rest(token, '/transfer/schedules'),
      await rest(token, `/staging/jobs/${robot.id}`, { method: 'DELETE' }),
      await rest(token, `/staging/jobs/${robot.id}/retry`, { method: 'POST' }),
      await rest(token, '/staging/pull', {
        method: 'POST',
        body: JSON.stringify({ image: 'x', tag: 'y', source_registry_host: 'example.com' }),
      }),
    ];
    expect(refused.map(({ status, code }) => [status, code])).toEqual(
      refused.map(() => [403, 'TOKEN_ACTION']),
    );
  });

  it('of an administrator ends there as well', async () => {
    const body = { name: 'narrow', scope: { api: true, registry: true, actions: ['pull'] } };
    const { token } = await json(admin.post('/api/auth/tokens', body));
    expect(token).toMatch(/^pcl_/);
    expect(await rest(token, '/auth/users')).toMatchObject({ status: 403, code: 'ADMIN_ONLY' });
    expect((await rest(token, '/images/__local__')).status).toBe(200);
    expect(await v2(token, '/v2/team/app/blobs/uploads/', 'POST', 'boss')).toBe(403);
  });
});
