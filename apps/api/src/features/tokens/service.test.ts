import { UNLIMITED_SCOPES } from '@portcullis/domain';
import type { PersonalToken } from '@portcullis/store';
import { samplePrincipal } from '@portcullis/testing/samples';
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
      return { ...token, id: 't', createdAt: new Date(), lastUsedAt: null, trustId: null };
    },
    rotate: async () => {
      throw new Error('no token is rotated here');
    },
    remove: async () => false,
    used: async () => {},
    removeAll: async () => 0,
    removeExpired: async () => 0,
  },
});

const ORDER = { name: 'ci', scope: UNLIMITED_SCOPES.api, days: 1 };

it('a token cannot create tokens, which would outlive its revocation', async () => {
  await expect(service.create(samplePrincipal({ auth: 'token' }), ORDER)).rejects.toMatchObject({
    kind: 'forbidden',
    code: 'SESSION_REQUIRED',
  });
  expect(made).toEqual([]);
});

it('a session can create a token', async () => {
  expect((await service.create(samplePrincipal({ auth: 'session' }), ORDER)).made.userId).toBe('u');
});

it('an account has 50 at most', async () => {
  const { made: one } = await service.create(samplePrincipal({ auth: 'session' }), ORDER);
  listed = Array<PersonalToken>(49).fill(one);
  await service.create(samplePrincipal({ auth: 'session' }), ORDER);
  listed.push(one);
  await expect(service.create(samplePrincipal({ auth: 'session' }), ORDER)).rejects.toMatchObject({
    kind: 'conflict',
    code: 'TOKENS_MANY',
  });
});
