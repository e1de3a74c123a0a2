/** `GET /auth/contacts`: whom an account asks for permissions and for approvals. */
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let dev: Client;

beforeAll(async () => {
  api = await startApi();
  const devId = await api.account('dev');
  await api.grant(devId, 'team', { canPush: true });
  for (const n of [1, 2, 3, 4, 5, 6]) await api.account(`admin-${n}`, { isAdmin: true });
  const left = await api.account('former-admin', { isAdmin: true });
  await api.store.users.update(left, { disabled: true });
  await reviewer('ann', 'team');
  await reviewer('bob', 'other');
  dev = await api.as('dev');
});
afterAll(() => api?.stop());

async function reviewer(name: string, folder: string): Promise<void> {
  const id = await api.account(name);
  await api.store.users.update(id, { canBypassVulnBlock: true });
  await api.grant(id, folder, { canPull: true });
}

const contacts = (query = '', client = dev) => json(client.get(`/api/auth/contacts${query}`));

it('names the first five enabled administrators, and counts all', async () => {
  expect((await contacts()).administrators).toEqual({
    names: ['admin-1', 'admin-2', 'admin-3', 'admin-4', 'admin-5'],
    total: 6,
  });
});

it('names as reviewers the administrators, and accounts that may push blocked images', async () => {
  expect((await contacts()).reviewers).toEqual({
    names: ['admin-1', 'admin-2', 'admin-3', 'admin-4', 'admin-5'],
    total: 8,
  });
});

it('names for a folder of the caller only reviewers that may pull from it', async () => {
  expect((await contacts('?folder=team')).reviewers.total).toBe(7);
});

it('answers a folder without a permission as one that does not exist', async () => {
  expect(await contacts('?folder=other')).toEqual(await contacts('?folder=nowhere'));
  expect((await contacts('?folder=other')).reviewers.total).toBe(6);
  const admin = await api.as('admin-1');
  expect((await contacts('?folder=other', admin)).reviewers.total).toBe(6);
  expect((await contacts('?folder=nowhere', admin)).reviewers.total).toBe(5);
});

it('does not name the caller itself', async () => {
  const { administrators, reviewers } = await contacts('', await api.as('admin-1'));
  expect(administrators).toEqual({
    names: ['admin-2', 'admin-3', 'admin-4', 'admin-5', 'admin-6'],
    total: 5,
  });
  expect(reviewers.total).toBe(7);
});
