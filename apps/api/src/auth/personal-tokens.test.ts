import { rateLimited } from '@portcullis/errors';
import type { PersonalToken } from '@portcullis/store';
import { sampleUser } from '@portcullis/testing/samples';
import { beforeEach, expect, it } from 'vitest';
import { createPersonalTokens, isPersonalToken, makeToken } from './personal-tokens.ts';

const USER = sampleUser();
const MADE = makeToken();
const ROW: PersonalToken = {
  id: 't',
  userId: 'u',
  name: 'ci',
  scope: 'api',
  hint: MADE.hint,
  createdAt: new Date(0),
  expiresAt: new Date(8.64e15),
  lastUsedAt: null,
};

let asked: string[];
let counted: number;
let uses: number[];
let exhausted: boolean;
let remembered: boolean;
let now: number;

function open() {
  const tokenByHash = async (hash: string) => {
    asked.push(hash);
    return hash === MADE.hash ? ROW : null;
  };
  return createPersonalTokens({
    tokens: { used: async (_, at) => void uses.push(at.getTime()) },
    principals: {
      account: async () => ({ user: USER, grants: [] }),
      session: async () => null,
      token: async () => ROW,
      tokenByHash: Object.assign(tokenByHash, { knows: () => remembered }),
      folders: async () => new Set(),
    },
    guesses: {
      async assertAddress() {
        if (exhausted) throw rateLimited('LOGIN_THROTTLED', '');
      },
      countAddress: async () => void counted++,
    },
    log: { debug: () => {} },
    now: () => now,
  });
}

beforeEach(() => {
  asked = [];
  counted = 0;
  uses = [];
  exhausted = false;
  remembered = false;
  now = 1_000_000;
});

it('is 32 random bytes after its mark, and only its hash is kept', () => {
  expect(isPersonalToken(MADE.token)).toBe(true);
  expect(MADE.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(makeToken().token).not.toBe(MADE.token);
  expect(MADE.hint.length).toBeLessThan(15);
  for (const text of ['pct_', `${MADE.token}x`, MADE.token.slice(1), `x${MADE.token}`, `${MADE.token}\n`])
    expect([text, isPersonalToken(text)]).toEqual([text, false]);
});

it('is its account', async () => {
  expect(await open().principalOf(MADE.token, 'api', '10.0.0.1')).toMatchObject({
    id: 'u',
    auth: 'token',
    tokenId: 't',
  });
});

it('that is unknown counts against its address, once however often it is sent', async () => {
  const tokens = open();
  const wrong = makeToken().token;
  for (let n = 0; n < 5; n++) expect(await tokens.principalOf(wrong, 'api', '10.0.0.1')).toBeNull();
  expect([counted, asked.length]).toEqual([1, 1]);
  await tokens.principalOf(makeToken().token, 'api', '10.0.0.1');
  expect([counted, asked.length]).toEqual([2, 2]);
});

it('asks no database for an address without budget, but still knows what it remembers', async () => {
  exhausted = true;
  const tokens = open();
  const asking = tokens.principalOf(MADE.token, 'api', '10.0.0.1');
  await expect(asking).rejects.toMatchObject({ code: 'LOGIN_THROTTLED' });
  expect(asked).toEqual([]);
  remembered = true;
  expect(await tokens.principalOf(MADE.token, 'api', '10.0.0.1')).not.toBeNull();
});

it('notes its use at most once a minute', async () => {
  const tokens = open();
  for (const at of [0, 1_000, 59_999, 60_000, 61_000]) {
    now = 1_000_000 + at;
    await tokens.principalOf(MADE.token, 'api', '10.0.0.1');
  }
  expect(uses).toEqual([1_000_000, 1_060_000]);
});

it('of the other scope is refused, and says which it has', async () => {
  const refused = open().principalOf(MADE.token, 'docker', '10.0.0.1');
  await expect(refused).rejects.toMatchObject({ code: 'TOKEN_SCOPE', kind: 'unauthenticated' });
});
