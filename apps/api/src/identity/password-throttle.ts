/**
 * Limits wrong passwords by account and by address. Login, password change and Basic on `/v2` share
 * the limits, as do all replicas. Without Redis no password is accepted, because guesses could not
 * be counted.
 */
import { GUESSES_PREFIX, guessesOf } from '@portcullis/domain';
import { isAppError, rateLimited } from '@portcullis/errors';
import { type Redis, redisFault } from '@portcullis/runtime';
import { ipKeyGenerator } from 'express-rate-limit';
import { budgetStore } from '../http/client/rate-limit.ts';

interface PasswordGuess {
  username: string;
  clientIp: string;
}

/**
 * Rate limit for unknown tokens, which are too long to guess, to protect the database. Never fails.
 */
export interface TokenGuesses {
  /** @throws rate_limited */
  assertAddress(clientIp: string): Promise<void>;
  countAddress(clientIp: string): Promise<void>;
}

export interface GuessBudget extends TokenGuesses {
  /**
   * Counts the attempt for the account and the address before the password is checked, so that
   * concurrent guesses are all counted, and no hash is computed beyond the limits.
   * @throws rate_limited `LOGIN_THROTTLED`, unavailable
   */
  spend(attempt: PasswordGuess): Promise<void>;
  /** The password was not checked: the attempt does not count. Never fails. */
  unchecked(attempt: PasswordGuess): Promise<void>;
  /** The password was right: forgets the account's failures, and takes back the address's count. */
  succeeded(attempt: PasswordGuess): Promise<void>;
  /** An administrator set another password: forgets the account's failures. Never fails. */
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
    // For a missing key the store returns no number, which is below the limit.
    if (used && used.totalHits >= limits.perAddress) throw throttled(used.resetTime);
  }

  async function spend({ username, clientIp }: PasswordGuess): Promise<void> {
    const address = addressKey(clientIp);
    const ofAddress = await count(() => store.increment(address));
    if (ofAddress.totalHits > limits.perAddress) {
      await count(() => store.decrement(address));
      throw throttled(ofAddress.resetTime);
    }
    const ofAccount = await count(() => store.increment(guessesOf(username)));
    if (ofAccount.totalHits <= limits.perAccount) return;
    await count(() => store.decrement(address));
    throw throttled(ofAccount.resetTime);
  }

  return {
    spend,
    async unchecked({ username, clientIp }) {
      const keys = [addressKey(clientIp), guessesOf(username)];
      await Promise.allSettled(keys.map((key) => store.decrement(key)));
    },
    async succeeded({ username, clientIp }) {
      await count(() => store.resetKey(guessesOf(username)));
      await count(() => store.decrement(addressKey(clientIp)));
    },
    forget: (username) => store.resetKey(guessesOf(username)).catch(() => {}),
    assertAddress: (clientIp) => assertAddress(clientIp).catch(unlessAway),
    countAddress: async (clientIp) =>
      void (await store.increment(addressKey(clientIp)).catch(() => {})),
  };
}

/** One client: an IPv4 address, or an IPv6 network, of which a client has all addresses. */
export function addressKey(clientIp: string): string {
  return `address:${ipKeyGenerator(clientIp)}`;
}

function throttled(resetTime: Date | undefined): Error {
  const seconds = ((resetTime?.getTime() ?? 0) - Date.now()) / 1000;
  return rateLimited('LOGIN_THROTTLED', 'Too many failed logins.', {
    retryAfter: Math.max(1, seconds),
  });
}

async function count<T>(work: () => Promise<T>): Promise<T> {
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
