/** Authentication by session, token, identity token or password, with one access cache. */
import { createAccessCache, watchChanges } from '@portcullis/events';
import type { Transport } from '@portcullis/oci/remote';
import type { Passwords } from '@portcullis/passwords';
import type { Logger, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import { createAuthenticate } from './authenticate.ts';
import { announcing, createAnnouncer } from './change-notifications.ts';
import { createIdentityExchange } from './keyless/exchange.ts';
import { createPasswordCheck } from './password-check.ts';
import { type PasswordRule, underRule } from './password-rule.ts';
import { createGuessBudget, type GuessLimits } from './password-throttle.ts';
import { createPersonalTokens } from './personal-tokens.ts';
import { createPrincipals } from './principals.ts';
import { createRegistryAccounts } from './registry-accounts.ts';
import { createSessions } from './sessions.ts';
import { createTokens, deriveKey } from './tokens.ts';

export interface IdentityDeps {
  store: Store;
  redis: Redis;
  passwords: Passwords;
  secretKey: Buffer;
  log: Logger;
  limits: GuessLimits;
  passwordRule: PasswordRule;
  sessionSeconds: number;
  oidcTokenDays: number | null;
  /** Null: the host of each request. */
  publicUrl: string | null;
  /** For the keys of issuers that administrators trust. */
  transport: Transport;
}

export type IdentityParts = ReturnType<typeof createIdentity>;

export function createIdentity({
  redis,
  passwords,
  secretKey,
  log,
  limits,
  passwordRule,
  sessionSeconds,
  oidcTokenDays: oidcDays,
  publicUrl,
  transport,
  store: plainStore,
}: IdentityDeps) {
  const cache = createAccessCache((onChange) => watchChanges(redis, onChange));
  const store = announcing(
    plainStore,
    createAnnouncer({ redis, kind: 'access', forget: cache.forget, log }),
  );
  const principals = createPrincipals(store, cache);
  const guesses = createGuessBudget(redis, limits);
  const checkPassword = underRule(
    createPasswordCheck({ users: store.users, passwords, guesses }),
    passwordRule,
  );
  const sessions = createSessions({
    sessions: store.sessions,
    principals,
    tokens: createTokens(secretKey),
    seconds: sessionSeconds,
  });
  const tokens = createPersonalTokens({
    tokens: store.tokens,
    principals,
    guesses,
    log,
    oidcDays,
    now: Date.now,
  });
  const identityExchange = createIdentityExchange({
    store,
    redis,
    transport,
    guesses,
    now: () => new Date(),
  });
  const { authenticate, current } = createAuthenticate({ sessions, tokens, publicUrl });
  const key = deriveKey(secretKey, 'basic credentials');
  const registryAccounts = createRegistryAccounts({
    principals,
    tokens,
    identities: identityExchange,
    checkPassword,
    passwordRule,
    key,
  });
  return {
    /** The store that announces changes of rights to all processes. */
    store,
    principals,
    checkPassword,
    sessions,
    authenticate,
    current,
    registryAccounts,
    identityExchange,
    forget: cache.forget,
    forgetGuesses: guesses.forget,
    close: cache.close,
  };
}
