/** Accounts as `/v2` knows them: by password, or by a token that was issued for one. */
import { createHmac } from 'node:crypto';
import type { AuthKind, Principal } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { Store, User } from '@portcullis/store';
import type { CheckPassword } from './password-check.ts';
import { principalOf } from './principals.ts';

export interface RegistryAccountPorts {
  store: Pick<Store, 'users' | 'folders'>;
  checkPassword: CheckPassword;
  /** Of the remembered credentials. */
  key: Buffer;
  now(): number;
}

export interface RegistryAccounts {
  /** Null for an unknown account, a wrong password or a disabled account. @throws rate_limited */
  authenticateBasic(username: string, password: string, clientIp: string): Promise<Principal | null>;
  /** Null once the account is gone or disabled, or what vouched for the token doesn't hold any more. */
  principalById(userId: string, voucher: { auth: AuthKind; tokenId?: string }): Promise<Principal | null>;
}

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function createRegistryAccounts({
  store,
  checkPassword,
  key,
  now,
}: RegistryAccountPorts): RegistryAccounts {
  const remembered = new Map<string, { userId: string; voucher: string; until: number }>();

  async function authenticateBasic(
    username: string,
    password: string,
    clientIp: string,
  ): Promise<Principal | null> {
    const mark = digest(`credential\0${username}\0${password}`);
    const user = (await recalled(mark)) ?? (await checked({ username, password, clientIp }));
    if (!user) return null;
    remember(mark, user);
    return principalOf(store, user, { auth: 'basic', tokenId: voucherOf(user) });
  }

  async function principalById(
    userId: string,
    { auth, tokenId }: { auth: AuthKind; tokenId?: string },
  ): Promise<Principal | null> {
    const user = await store.users.find(userId);
    if (!user || user.disabled || tokenId !== voucherOf(user)) return null;
    return principalOf(store, user, { auth, tokenId });
  }

  /** The account is read anew each time: one that was disabled, or has another password, isn't recalled. */
  async function recalled(mark: string): Promise<User | null> {
    const entry = remembered.get(mark);
    if (!entry || entry.until < now()) return null;
    const user = await store.users.find(entry.userId);
    return user && !user.disabled && voucherOf(user) === entry.voucher ? user : null;
  }

  async function checked(attempted: Parameters<CheckPassword>[0]): Promise<User | null> {
    try {
      return await checkPassword(attempted);
    } catch (error) {
      if (isAppError(error) && (error.kind === 'unauthenticated' || error.kind === 'forbidden')) return null;
      throw error;
    }
  }

  /** A minute from its check, not from its last use. */
  function remember(mark: string, user: User): void {
    const entry = remembered.get(mark);
    if (entry && entry.until >= now() && entry.voucher === voucherOf(user)) return;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(mark, { userId: user.id, voucher: voucherOf(user), until: now() + REMEMBERED_MS });
  }

  /** Stands for the present password: what was issued under another one is void. */
  function voucherOf({ passwordHash }: User): string {
    return `password:${digest(`password\0${passwordHash ?? ''}`).slice(0, 16)}`;
  }

  function digest(text: string): string {
    return createHmac('sha256', key).update(text).digest('base64url');
  }

  return { authenticateBasic, principalById };
}
