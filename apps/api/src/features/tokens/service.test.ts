import type { Principal } from '@portcullis/domain';
import type { PersonalToken } from '@portcullis/store';
import { expect, it } from 'vitest';
import { createTokensService } from './service.ts';

const made: string[] = [];
let listed: PersonalToken[] = [];
const service = createTokensService({
  tokens: {
    find: async () => null,
    findByHash: async () => null,
    list: async () => listed,
    insert: async (token) => {
      made.push(token.name);
      return { ...token, id: 't', createdAt: new Date(), lastUsedAt: null };
    },
    remove: async () => false,
    used: async () => {},
    removeAll: async () => 0,
    removeExpired: async () => 0,
  },
});

function asker(auth: Principal['auth']): Principal {
  return { id: 'u', username: 'u', isAdmin: false, canBypassVulnBlock: false, auth, grants: [] };
}

const ORDER = { name: 'ci', scope: 'api' as const, days: 1 };

it('a token makes no tokens: what it made would outlive its revocation', async () => {
  await expect(service.create(asker('token'), ORDER)).rejects.toMatchObject({
    kind: 'forbidden',
    code: 'SESSION_REQUIRED',
  });
  expect(made).toEqual([]);
});

it('who has logged in makes one', async () => {
  expect((await service.create(asker('session'), ORDER)).made.userId).toBe('u');
});

it('an account has 50 at most', async () => {
  const { made: one } = await service.create(asker('session'), ORDER);
  listed = Array<PersonalToken>(49).fill(one);
  await service.create(asker('session'), ORDER);
  listed.push(one);
  await expect(service.create(asker('session'), ORDER)).rejects.toMatchObject({
    kind: 'conflict',
    code: 'TOKENS_MANY',
  });
});
