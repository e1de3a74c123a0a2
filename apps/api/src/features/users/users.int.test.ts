/** What ends with a change of an account. */
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('boss', { isAdmin: true });
  admin = await api.as('boss');
});
afterAll(() => api?.stop());

async function personalToken(of: Client): Promise<string> {
  const made = await of.post('/api/auth/tokens', { name: 'laptop', scope: 'api' });
  return (await json(made)).token;
}

async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${api.url}/api/auth/me`, { headers })).status;
}

it.each([
  ['a password of an administrator', [{ password: 'chosen by an administrator' }]],
  ['disabling it, also where it is enabled again', [{ disabled: true }, { disabled: false }]],
])('%s ends the personal tokens of an account', async (_, changes) => {
  const name = `intruded-${changes.length}`;
  const id = await api.account(name);
  const token = await personalToken(await api.as(name));
  expect(await statusWith(token)).toBe(200);
  for (const change of changes)
    expect((await admin.patch(`/api/auth/users/${id}`, change)).status).toBe(200);
  expect(await statusWith(token)).toBe(401);
});

it('what changes no password ends nothing', async () => {
  const id = await api.account('kept');
  const token = await personalToken(await api.as('kept'));
  expect((await admin.patch(`/api/auth/users/${id}`, { is_admin: true })).status).toBe(200);
  expect(await statusWith(token)).toBe(200);
});
