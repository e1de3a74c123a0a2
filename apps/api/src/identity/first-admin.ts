import { randomBytes } from 'node:crypto';
import type { Passwords } from '@portcullis/passwords';
import type { Store } from '@portcullis/store';

export interface FirstAdminOptions {
  username: string;
  /** Set by the operator; otherwise a random password is generated and announced. */
  password: string | null;
  /** Shows a generated password to the operator, once. */
  announce(username: string, password: string): Promise<void>;
}

/**
 * There is no default credential: the first account gets the operator's password, or a random one
 * that must be changed because it was shown. It is announced before the account is written, so that
 * a crash in between leaves no account with an unknown password.
 */
export async function ensureFirstAdmin(
  users: Store['users'],
  passwords: Passwords,
  options: FirstAdminOptions,
): Promise<boolean> {
  const { username, password: given, announce } = options;
  const made = await users.ensureFirstAdmin(username, async () => {
    const password = given ?? randomBytes(18).toString('base64url');
    if (given === null) await announce(username, password);
    return { passwordHash: await passwords.hash(password), mustChangePassword: given === null };
  });
  return made !== null;
}
