/** Checks a username and password, under the shared limit of wrong passwords. */
import { createHmac, randomBytes } from 'node:crypto';
import { forbidden, unauthenticated } from '@portcullis/errors';
import type { Passwords } from '@portcullis/passwords';
import type { Store, User } from '@portcullis/store';
import { addressKey, type GuessBudget } from './password-throttle.ts';

export interface PasswordCheckPorts {
  users: Pick<Store['users'], 'findByUsername'>;
  passwords: Passwords;
  guesses: Pick<GuessBudget, 'spend' | 'unchecked' | 'succeeded'>;
}

interface Attempted {
  username: string;
  password: string;
  clientIp: string;
}

export type CheckPassword = (attempted: Attempted) => Promise<User>;

export function createPasswordCheck({
  users,
  passwords,
  guesses,
}: PasswordCheckPorts): CheckPassword {
  const running = new Map<string, Promise<User>>();
  const key = randomBytes(32);

  async function compare({ username, password, clientIp }: Attempted) {
    const user = await users.findByUsername(username);
    const hash = user?.passwordHash ?? null;
    const isRight = await passwords.verify(password, hash, addressKey(clientIp));
    return { user, isRight };
  }

  async function check(attempted: Attempted): Promise<User> {
    await guesses.spend(attempted);
    const { user, isRight } = await compare(attempted).catch(async (error) => {
      await guesses.unchecked(attempted);
      throw error;
    });
    if (!isRight || !user)
      throw unauthenticated('LOGIN_FAILED', 'The username or the password is wrong.');
    await guesses.succeeded(attempted);
    if (user.disabled) throw forbidden('ACCOUNT_DISABLED', 'The account is disabled.');
    return user;
  }

  /**
   * Single flight: a client that opens ten connections with one password uses one attempt.
   * @throws unauthenticated, rate_limited, unavailable, or forbidden for a right password of a
   * disabled account
   */
  return function checkPassword(attempted) {
    const mark = createHmac('sha256', key)
      .update(`${attempted.username}\0${attempted.password}`)
      .digest('base64');
    const inFlight = running.get(mark);
    if (inFlight) return inFlight;
    const pending = check(attempted).finally(() => running.delete(mark));
    running.set(mark, pending);
    return pending;
  };
}
