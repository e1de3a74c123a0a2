import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let annId: string;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  admin = await api.as('root');
});
afterAll(() => api?.stop());

async function group(name: string): Promise<string> {
  return (await json(admin.post('/api/groups', { name }))).id;
}

it('a group is created, found, renamed and deleted', async () => {
  const made = await admin.post('/api/groups', {
    name: ' Developers ',
    description: 'all of them',
  });
  const body = await json(made);
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/groups/${body.id}`]);
  expect(body).toMatchObject({ name: 'Developers', description: 'all of them', members: [] });
  expect(await json(admin.get(`/api/groups/${body.id}`))).toEqual(body);
  expect(await json(admin.patch(`/api/groups/${body.id}`, { name: 'Builders' }))).toEqual({
    ...body,
    name: 'Builders',
  });
  expect((await admin.delete(`/api/groups/${body.id}`)).status).toBe(204);
  expect(await codeOf(admin.get(`/api/groups/${body.id}`))).toEqual([404, 'GROUP_UNKNOWN']);
  expect(await codeOf(admin.delete(`/api/groups/${body.id}`))).toEqual([404, 'GROUP_UNKNOWN']);
  expect(await codeOf(admin.patch(`/api/groups/${body.id}`, { name: 'x' }))).toEqual([
    404,
    'GROUP_UNKNOWN',
  ]);
});

it('names of groups are case-insensitive', async () => {
  const id = await group('crew');
  expect(await codeOf(admin.post('/api/groups', { name: 'Crew' }))).toEqual([
    409,
    'GROUP_NAME_TAKEN',
  ]);
  const other = await group('others');
  expect(await codeOf(admin.patch(`/api/groups/${other}`, { name: 'CREW' }))).toEqual([
    409,
    'GROUP_NAME_TAKEN',
  ]);
  expect((await admin.patch(`/api/groups/${id}`, { name: 'CREW' })).status).toBe(200);
});

it('an account is added by its name or its id, repeatably, and removed', async () => {
  const id = await group('joiners');
  const members = [{ id: annId, username: 'ann' }];
  for (const body of [{ username: 'ann' }, { username: 'ANN' }, { user_id: annId }]) {
    expect(await json(admin.put(`/api/groups/${id}/members`, body))).toMatchObject({ id, members });
  }
  expect((await admin.delete(`/api/groups/${id}/members/${annId}`)).status).toBe(204);
  expect(await codeOf(admin.delete(`/api/groups/${id}/members/${annId}`))).toEqual([
    404,
    'MEMBER_UNKNOWN',
  ]);
  expect(await json(admin.get(`/api/groups/${id}`))).toMatchObject({ members: [] });
});

it('unknown accounts and groups are a 404, a body with none or two accounts is a 422', async () => {
  const id = await group('strict');
  const put = (body: unknown, to = id) => codeOf(admin.put(`/api/groups/${to}/members`, body));
  expect(await put({ username: 'nobody' })).toEqual([404, 'USER_UNKNOWN']);
  expect(await put({ user_id: id })).toEqual([404, 'USER_UNKNOWN']);
  expect(await put({ username: 'ann' }, annId)).toEqual([404, 'GROUP_UNKNOWN']);
  expect(await put({})).toEqual([422, 'VALIDATION_FAILED']);
  expect(await put({ username: 'ann', user_id: annId })).toEqual([422, 'VALIDATION_FAILED']);
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(129)]) {
    expect((await admin.post('/api/groups', { name })).status).toBe(422);
  }
});

it('the list is by name and paged by a link to the next page', async () => {
  for (const name of ['zz3', 'zz1', 'zz2']) await group(name);
  const names: string[] = [];
  let next: string | undefined = '/api/groups?limit=2';
  let total = 0;
  while (next) {
    const page = await admin.get(next);
    total = Number(page.headers.get('x-total-count'));
    names.push(...(await json(page)).map(({ name }: { name: string }) => name));
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(names).toHaveLength(total);
  expect(names.filter((name) => name.startsWith('zz'))).toEqual(['zz1', 'zz2', 'zz3']);
  expect(await codeOf(admin.get('/api/groups?cursor=%00'))).toEqual([422, 'VALIDATION_FAILED']);
  expect(await codeOf(admin.get('/api/groups?cursor=_w'))).toEqual([422, 'CURSOR_INVALID']);
});

it('each change is an audit event with the group and the account', async () => {
  const id = await group('watched');
  await admin.put(`/api/groups/${id}/members`, { username: 'ann' });
  await admin.delete(`/api/groups/${id}`);
  const events = (await published(api, 10)).filter(({ resource }) => resource?.id === id);
  expect(events.map(({ event, resource, actor }) => [event, resource?.name, actor.name])).toEqual([
    ['group.delete', 'watched', 'root'],
    ['group.add_member', 'watched', 'root'],
    ['group.create', 'watched', 'root'],
  ]);
  expect(events[1]?.detail).toEqual({ member: 'ann' });
});
