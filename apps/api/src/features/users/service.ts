/** Accounts, as administrators keep them. */
import type { Principal } from '@portcullis/domain';
import type { Passwords } from '@portcullis/passwords';
import type { Page, Store, User, UserChange, UserFilter } from '@portcullis/store';
import { notLocal } from '../auth/service.ts';

export interface UsersPorts {
  store: Pick<Store, 'users' | 'sessions' | 'tokens'>;
  passwords: Pick<Passwords, 'hash'>;
  /**
   * Cancels and discards an account's staging jobs with all they hold; says how many there were.
   */
  discardJobsOf(userId: string): Promise<number>;
  /** Wrong passwords that were counted against the account. */
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
  const get = (id: string): Promise<User> => store.users.get(id);

  async function create({ password, ...user }: UserOrder): Promise<User> {
    return store.users.insert({ ...user, passwordHash: await passwords.hash(password) });
  }

  /**
   * Whoever held a session by the old password, or of an account that is disabled now, holds it no
   * longer. A password that somebody else sets usually means that the account was broken into:
   * tokens made meanwhile must not outlive it.
   */
  async function update(id: string, edit: UserEdit, by: Principal): Promise<User> {
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
   * Disabled first: from then on nothing of it works and nothing new begins. The rows of its jobs
   * would go with the account and leave their layouts behind, so that the jobs go before it, each
   * as if its owner had deleted it.
   */
  async function remove(id: string): Promise<{ user: User; jobs: number }> {
    const user = await store.users.update(id, { disabled: true });
    const jobs = await discardJobsOf(id);
    await store.users.remove(id);
    return { user, jobs };
  }

  return { list, get, create, update, remove };
}
export type UsersService = ReturnType<typeof createUsersService>;
