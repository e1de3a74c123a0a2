import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';
import { createAuthService } from './service.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
});
afterAll(() => api?.stop());

it.each<[string, (id: string) => Promise<unknown>]>([
  ['its password', (id) => api.store.users.update(id, { passwordHash: 'another' })],
  ['its being enabled', (id) => api.store.users.update(id, { disabled: true })],
  ['its account', (id) => api.store.users.remove(id)],
])('a login during a change of %s creates no session', async (what, change) => {
  const id = await api.account(`slow-${what.length}`);
  const user = await api.store.users.get(id);
  const service = createAuthService({
    store: api.store,
    principals: { account: async () => ({ user, grants: [] }), mirrors: async () => new Map() },
    passwords: { hash: async () => '' },
    checkPassword: async () => user,
    sessions: {
      async open() {
        await change(id);
        return { token: 'never given out', seconds: 1 };
      },
      principalOf: async () => null,
      byId: async () => null,
      end: async () => {},
    },
  });
  await expect(service.login(user.username, 'x', '10.0.0.1')).rejects.toMatchObject({
    code: 'LOGIN_FAILED',
  });
});
