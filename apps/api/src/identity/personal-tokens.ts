/** Tokens of accounts and robots: random, stored as a hash, found by one indexed query. */
import { createHash, randomBytes } from 'node:crypto';
import { isLimited, narrowed, type Principal, type TokenInterface } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { PersonalToken, Store, User } from '@portcullis/store';
import { LRUCache } from 'lru-cache';
import type { TokenGuesses } from './password-throttle.ts';
import { type Principals, principalOf } from './principals.ts';

/**
 * `pct_`: a personal token of the scope `api` or `docker`. `pcl_`: a limited one. `pcr_`: one of a
 * robot. Releases before limited scopes know the first prefix only, and must accept no other token:
 * they would not see its limits.
 */
const PREFIXES = { personal: 'pct_', limited: 'pcl_', robot: 'pcr_' } as const;
export type TokenKind = keyof typeof PREFIXES;
const SHAPE = /^pc[tlr]_[A-Za-z0-9_-]{43}$/;
const BYTES = 32;

export interface IssuedToken {
  token: string;
  hash: string;
  hint: string;
}

export function makeToken(kind: TokenKind = 'personal'): IssuedToken {
  const token = `${PREFIXES[kind]}${randomBytes(BYTES).toString('base64url')}`;
  return { token, hash: hashOf(token), hint: `${token.slice(0, 8)}…${token.slice(-4)}` };
}

/** Checks the form only. */
export function isPersonalToken(text: string): boolean {
  return SHAPE.test(text);
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export interface PersonalTokenPorts {
  tokens: Pick<Store['tokens'], 'used'>;
  principals: Principals;
  guesses: TokenGuesses;
  log: Pick<Logger, 'debug'>;
  /** `OIDC_TOKEN_DAYS`; null without a limit. */
  oidcDays: number | null;
  now(): number;
}

export interface PersonalTokenService {
  /**
   * The account with the rights that the token's scope leaves; null for an unknown, expired or
   * revoked token.
   * @throws unauthenticated `TOKEN_SCOPE` for a token that is not for this interface
   */
  principalOf(token: string, on: TokenInterface, clientIp: string): Promise<Principal | null>;
  byId(id: string, on: TokenInterface): Promise<Principal | null>;
}

const USE_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function createPersonalTokens(ports: PersonalTokenPorts): PersonalTokenService {
  const { tokens, principals, guesses, oidcDays, now } = ports;
  /** An unknown token never becomes valid, so a repeated one is counted once. */
  const unknown = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  const noted = new LRUCache<string, number>({ max: MOST_REMEMBERED });

  async function findToken(token: string, clientIp: string): Promise<PersonalToken | null> {
    const hash = hashOf(token);
    if (unknown.has(hash)) return null;
    if (!principals.tokenByHash.knows(hash)) await guesses.assertAddress(clientIp);
    const known = await principals.tokenByHash(hash);
    if (known) return known;
    unknown.set(hash, true);
    await guesses.countAddress(clientIp);
    return null;
  }

  async function accept(
    token: PersonalToken | null,
    on: TokenInterface,
  ): Promise<Principal | null> {
    const account = token && (await principals.account(token.userId));
    if (!token || !account || isForgotten(account.user, oidcDays, now())) return null;
    if (!token.scope[on]) throw unauthenticated('TOKEN_SCOPE', SCOPE_FAULTS[on]);
    note(token.id);
    const principal = principalOf(account, { auth: 'token', tokenId: token.id });
    if (!isLimited(token.scope)) return principal;
    return narrowed(principal, token.scope, await principals.folders());
  }

  /** Runs in the background; a failure is logged only. */
  function note(id: string): void {
    if (now() - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < USE_EVERY_MS) return;
    noted.set(id, now());
    tokens
      .used(id, new Date(now()))
      .catch((error) => ports.log.debug({ err: error }, 'a use was not noted'));
  }

  return {
    principalOf: async (token, on, clientIp) => accept(await findToken(token, clientIp), on),
    byId: async (id, on) => accept(await principals.token(id), on),
  };
}

const DAY_MS = 86_400_000;

/**
 * Whether an account of the identity provider has not logged in for so long that the provider may
 * have removed it: only a login shows that it still exists.
 */
export function isForgotten(
  { authSource, lastLoginAt, createdAt }: Pick<User, 'authSource' | 'lastLoginAt' | 'createdAt'>,
  days: number | null,
  now: number,
): boolean {
  if (authSource !== 'oidc' || days === null) return false;
  return (lastLoginAt ?? createdAt).getTime() + days * DAY_MS < now;
}

const SCOPE_FAULTS: Record<TokenInterface, string> = {
  api: 'This token is for the registry alone; the API accepts one with `api` in its scope.',
  registry:
    'This token is for the API alone; the registry accepts one with the scope docker or with `registry` in it.',
};
