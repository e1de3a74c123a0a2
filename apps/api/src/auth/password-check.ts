/** Username and password → account. One budget against guessing for login and Basic on `/v2` alike. */
import { forbidden, rateLimited, unauthenticated } from '@portcullis/errors';
import type { Store, User } from '@portcullis/store';
import type { Budget, Counter } from '../http/rate-limit.ts';
import type { Passwords } from './passwords.ts';

export interface PasswordCheckPorts {
  users: Pick<Store['users'], 'findByUsername'>;
  passwords: Passwords;
  /** Null where `RATE_LIMIT_ENABLED=false`. */
  guesses: { counter: Counter; byAccount: Budget; byAddress: Budget } | null;
}

export interface Attempted {
  username: string;
  password: string;
  clientIp: string;
}

export type CheckPassword = (attempted: Attempted) => Promise<User>;

export function createPasswordCheck({ users, passwords, guesses }: PasswordCheckPorts): CheckPassword {
  /** @throws unauthenticated, rate_limited, or forbidden for a right password of a disabled account */
  return async function checkPassword(attempted) {
    const keys = keysOf(attempted);
    await assertBudget(keys);
    const user = await users.findByUsername(attempted.username);
    if (!(await passwords.verify(attempted.password, user?.passwordHash ?? null)) || !user) {
      await Promise.all(keys.map(({ key }) => guesses?.counter.add(key)));
      throw unauthenticated('LOGIN_FAILED', 'The username or the password is wrong.');
    }
    if (user.disabled) throw forbidden('ACCOUNT_DISABLED', 'The account is disabled.');
    await guesses?.counter.reset(accountKey(attempted));
    return user;
  };

  function keysOf(attempted: Attempted): { key: string; budget: Budget }[] {
    if (!guesses) return [];
    const { byAccount, byAddress } = guesses;
    return [
      { key: accountKey(attempted), budget: byAccount },
      { key: `guess:address:${attempted.clientIp}`, budget: byAddress },
    ];
  }

  async function assertBudget(keys: { key: string; budget: Budget }[]): Promise<void> {
    for (const { key, budget } of keys) {
      const count = await guesses?.counter.peek(key);
      if (count && count.used >= budget.limit) {
        throw rateLimited('LOGIN_THROTTLED', 'Too many failed logins.', { retryAfter: count.seconds });
      }
    }
  }
}

/** Wherever the guesses come from. */
function accountKey({ username }: Attempted): string {
  return `guess:account:${username.normalize('NFKC').toLowerCase()}`;
}
