/**
 * One budget against guessing: by account and by address, shared by login, password change and
 * Basic on `/v2`, and by all replicas. Without Redis no password is believed: what can't be counted
 * could be guessed for ever.
 */
import { GUESSES_PREFIX, guessesOf } from '@portcullis/domain';
import { isAppError, rateLimited } from '@portcullis/errors';
import { type Redis, redisFault } from '@portcullis/runtime';
import { ipKeyGenerator } from 'express-rate-limit';
import { budgetStore } from '../http/caller/rate-limit.ts';

export interface PasswordGuess {
  username: string;
  clientIp: string;
}

/**
 * For secrets too long to guess: their checking is rationed so that nobody floods the database.
 * Never fails.
 */
export interface TokenGuesses {
  /** @throws rate_limited */
  assertAddress(clientIp: string): Promise<void>;
  countAddress(clientIp: string): Promise<void>;
}

export interface GuessBudget extends TokenGuesses {
  /**
   * Before the password is checked: of many guesses at once, none slips through uncounted.
   * @throws rate_limited `LOGIN_THROTTLED`, unavailable
   */
  spend(attempt: PasswordGuess): Promise<void>;
  /** It was wrong. */
  failed(attempt: PasswordGuess): Promise<void>;
  /** It was right: the account's earlier failures were its owner's. */
  succeeded(attempt: PasswordGuess): Promise<void>;
  /**
   * Somebody else gave the account another password. Never fails: without Redis no password is
   * believed anyway.
   */
  forget(username: string): Promise<void>;
}

export interface GuessLimits {
  perAccount: number;
  perAddress: number;
  windowSeconds: number;
}

export function createGuessBudget(redis: Redis, limits: GuessLimits): GuessBudget {
  const windowMs = limits.windowSeconds * 1000;
  const store = budgetStore(redis, GUESSES_PREFIX, windowMs);

  async function assertAddress(clientIp: string): Promise<void> {
    const used = await store.get(addressKey(clientIp));
    // The store's word for a key that isn't there is not a number, and not at the limit.
    if (used && used.totalHits >= limits.perAddress) throw throttled(used.resetTime);
  }

  async function spend(attempt: PasswordGuess): Promise<void> {
    await counted(() => assertAddress(attempt.clientIp));
    const { totalHits, resetTime } = await counted(() =>
      store.increment(guessesOf(attempt.username)),
    );
    if (totalHits > limits.perAccount) throw throttled(resetTime);
  }

  return {
    spend,
    failed: async ({ clientIp }) =>
      void (await counted(() => store.increment(addressKey(clientIp)))),
    succeeded: ({ username }) => counted(() => store.resetKey(guessesOf(username))),
    forget: (username) => store.resetKey(guessesOf(username)).catch(() => {}),
    assertAddress: (clientIp) => assertAddress(clientIp).catch(unlessAway),
    countAddress: async (clientIp) =>
      void (await store.increment(addressKey(clientIp)).catch(() => {})),
  };
}

function addressKey(clientIp: string): string {
  return `address:${ipKeyGenerator(clientIp)}`;
}

function throttled(resetTime: Date | undefined): Error {
  const seconds = ((resetTime?.getTime() ?? 0) - Date.now()) / 1000;
  return rateLimited('LOGIN_THROTTLED', 'Too many failed logins.', {
    retryAfter: Math.max(1, seconds),
  });
}

async function counted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw redisFault('REDIS_UNAVAILABLE', cause);
  }
}

function unlessAway(error: unknown): void {
  if (isAppError(error)) throw error;
}
