import { UNLIMITED_SCOPES } from '@portcullis/domain';
import { rateLimited } from '@portcullis/errors';
import type { PersonalToken, User } from '@portcullis/store';
import { sampleUser } from '@portcullis/testing/samples';
import { beforeEach, expect, it } from 'vitest';
import {
  createPersonalTokens,
  isForgotten,
  isPersonalToken,
  makeToken,
} from './personal-tokens.ts';

const USER = sampleUser();
const MADE = makeToken();
const ROW: PersonalToken = {
  id: 't',
  userId: 'u',
  name: 'ci',
  scope: UNLIMITED_SCOPES.api,
  hint: MADE.hint,
  createdAt: new Date(0),
  expiresAt: new Date(8.64e15),
  lastUsedAt: null,
  trustId: null,
};

let lookups: string[];
let counted: number;
let uses: number[];
let exhausted: boolean;
let remembered: boolean;
let now: number;

function open({ user = USER, oidcDays = null }: { user?: User; oidcDays?: number | null } = {}) {
  const tokenByHash = async (hash: string) => {
    lookups.push(hash);
    return hash === MADE.hash ? ROW : null;
  };
  return createPersonalTokens({
    tokens: { used: async (_, at) => void uses.push(at.getTime()) },
    principals: {
      account: async () => ({ user, grants: [] }),
      session: async () => null,
      token: async () => ROW,
      tokenByHash: Object.assign(tokenByHash, { knows: () => remembered }),
      folders: async () => new Set(),
      mirrors: async () => new Map(),
      knownFolders: async () => ({ folders: new Set(), mirrors: new Map() }),
    },
    guesses: {
      async assertAddress() {
        if (exhausted) throw rateLimited('LOGIN_THROTTLED', '');
      },
      countAddress: async () => void counted++,
    },
    log: { debug: () => {} },
    oidcDays,
    now: () => now,
  });
}

beforeEach(() => {
  lookups = [];
  counted = 0;
  uses = [];
  exhausted = false;
  remembered = false;
  now = 1_000_000;
});

it('is 32 random bytes after its prefix, and only its hash is stored', () => {
  expect(isPersonalToken(MADE.token)).toBe(true);
  expect(MADE.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(makeToken().token).not.toBe(MADE.token);
  expect(MADE.hint.length).toBeLessThan(15);
  for (const text of [
    'pct_',
    `${MADE.token}x`,
    MADE.token.slice(1),
    `x${MADE.token}`,
    `${MADE.token}\n`,
  ])
    expect([text, isPersonalToken(text)]).toEqual([text, false]);
});

it('authenticates its account', async () => {
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
  expect([counted, lookups.length]).toEqual([1, 1]);
  await tokens.principalOf(makeToken().token, 'api', '10.0.0.1');
  expect([counted, lookups.length]).toEqual([2, 2]);
});

it('sends no query for an address above the limit, but uses cached tokens', async () => {
  exhausted = true;
  const tokens = open();
  const refused = tokens.principalOf(MADE.token, 'api', '10.0.0.1');
  await expect(refused).rejects.toMatchObject({ code: 'LOGIN_THROTTLED' });
  expect(lookups).toEqual([]);
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
  const refused = open().principalOf(MADE.token, 'registry', '10.0.0.1');
  await expect(refused).rejects.toMatchObject({ code: 'TOKEN_SCOPE', kind: 'unauthenticated' });
});

const DAY = 86_400_000;
it.each([
  ['an account of the provider that logged in lately', 'oidc', 29, 30, false],
  ['an account of the provider that did not', 'oidc', 31, 30, true],
  ['an account of the provider that never did, by its age', 'oidc', null, 30, true],
  ['a local account', 'local', 400, 30, false],
  ['any account where no limit is set', 'oidc', 400, null, false],
] as const)('G13: whether the tokens of %s are void', (_, authSource, daysAgo, days, forgotten) => {
  const at = new Date(1_000 * DAY);
  const lastLoginAt = daysAgo === null ? null : new Date(at.getTime() - daysAgo * DAY);
  const user = { authSource, lastLoginAt, createdAt: new Date(0) };
  expect(isForgotten(user, days, at.getTime())).toBe(forgotten);
});

it('G13: a token is refused if its account has not logged in by the provider lately', async () => {
  const user = sampleUser({ authSource: 'oidc', lastLoginAt: new Date(0) });
  now = 31 * DAY;
  const [limited, unlimited] = [open({ user, oidcDays: 30 }), open({ user })];
  expect(await limited.principalOf(MADE.token, 'api', '127.0.0.1')).toBeNull();
  expect(await limited.byId('t', 'api')).toBeNull();
  expect(await unlimited.principalOf(MADE.token, 'api', '127.0.0.1')).toMatchObject({
    id: user.id,
  });
});
