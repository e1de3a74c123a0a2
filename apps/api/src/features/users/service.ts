/** Accounts, managed by administrators. */
import type { Principal } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { Passwords } from '@portcullis/passwords';
import type { Page, Store, User, UserChange, UserFilter } from '@portcullis/store';
import { notLocal } from '../auth/service.ts';

export interface UsersPorts {
  store: Pick<Store, 'users' | 'sessions' | 'tokens'>;
  passwords: Pick<Passwords, 'hash'>;
  /** Cancels and deletes the account's staging jobs with their layouts; returns their number. */
  discardJobsOf(userId: string): Promise<number>;
  /** Forgets the wrong passwords counted for the account. */
  forgetGuesses(username: string): Promise<void>;
}

type Flags = Pick<
  User,
  'email' | 'isAdmin' | 'canBypassVulnBlock' | 'disabled' | 'mustChangePassword'
>;
export type UserOrder = Flags & { username: string; password: string };
export type UserEdit = { [K in keyof Flags]?: Flags[K] | undefined } & {
  password?: string | undefined;
};

export function createUsersService({ store, passwords, discardJobsOf, forgetGuesses }: UsersPorts) {
  const list = (filter: UserFilter): Promise<Page<User>> => store.users.list(filter);

  /** @throws not_found also for robots, which have other operations */
  async function get(id: string): Promise<User> {
    const user = await store.users.get(id);
    if (user.authSource === 'robot') throw notFound('USER_UNKNOWN', 'There is no such account.');
    return user;
  }

  async function create({ password, ...user }: UserOrder): Promise<User> {
    return store.users.insert({ ...user, passwordHash: await passwords.hash(password) });
  }

  /**
   * A new password or disabling ends the account's sessions. If an administrator does it, the
   * tokens end too: this often follows a break-in, and an intruder's tokens must not survive it.
   */
  async function update(id: string, edit: UserEdit, by: Principal): Promise<User> {
    await get(id);
    const user = await store.users.update(id, await changeOf(id, edit));
    if (edit.password !== undefined || edit.disabled === true) {
      await store.sessions.revokeAll(id, id === by.id ? by.tokenId : undefined);
      if (id !== by.id) await store.tokens.removeAll(id);
    }
    if (edit.password !== undefined) await forgetGuesses(user.username);
    return user;
  }

  async function changeOf(id: string, { password, ...flags }: UserEdit): Promise<UserChange> {
    const change = Object.fromEntries(
      Object.entries(flags).filter(([, value]) => value !== undefined),
    );
    if (password === undefined) return change;
    if ((await store.users.get(id)).authSource !== 'local') throw notLocal();
    return { ...change, passwordHash: await passwords.hash(password) };
  }

  /**
   * Disables first, so that nothing new begins. Jobs are deleted before the account, as if their
   * owner had deleted them: a cascade would leave their layouts behind.
   */
  async function remove(id: string): Promise<{ user: User; jobs: number }> {
    await get(id);
    const user = await store.users.update(id, { disabled: true });
    const jobs = await discardJobsOf(id);
    await store.users.remove(id);
    return { user, jobs };
  }

  return { list, get, create, update, remove };
}
export type UsersService = ReturnType<typeof createUsersService>;
