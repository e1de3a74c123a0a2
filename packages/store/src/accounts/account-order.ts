/**
 * The orders of the list of accounts: the columns, and where the next page begins. Equal accounts
 * are by name, which is unique, so that each has one place. Accounts that never logged in are the
 * oldest.
 */
import type { AccountOrder } from '@portcullis/domain';
import type { User as Row } from '../generated/client.ts';
import type { UserOrderByWithRelationInput, UserWhereInput } from '../generated/models.ts';
import { cursorInvalid, decodeNamed, encodeNamed } from '../page.ts';

type Column = 'username' | 'auth_source' | 'last_login_at';

/** The columns by which the list is ordered. */
export function accountsBy(order: AccountOrder): UserOrderByWithRelationInput[] {
  const { column, isDescending } = partsOf(order);
  const sort = isDescending ? 'desc' : 'asc';
  const byName = { usernameKey: 'asc' } as const;
  if (column === 'username') return [{ usernameKey: sort }];
  if (column === 'auth_source') return [{ authSource: sort }, byName];
  return [{ lastLoginAt: { sort, nulls: isDescending ? 'last' : 'first' } }, byName];
}

/** The accounts after those of the previous page. @throws invalid `CURSOR_INVALID` */
export function accountsAfter(
  order: AccountOrder,
  cursor: string | null | undefined,
): UserWhereInput {
  if (!cursor) return {};
  const { column, isDescending } = partsOf(order);
  const { value, name } = decodeNamed(order, cursor);
  const beyond = <T>(from: T) => (isDescending ? { lt: from } : { gt: from });
  const later = { usernameKey: { gt: name } };
  if (column === 'username') return { usernameKey: beyond(name) };
  if (column === 'last_login_at')
    return value === null ? afterNever(isDescending, later) : afterLogin(value, beyond, later);
  if (value === null) throw cursorInvalid();
  return { OR: [{ authSource: beyond(value) }, { authSource: value, ...later }] };
}

function afterNever(isDescending: boolean, later: UserWhereInput): UserWhereInput {
  const others = { lastLoginAt: null, ...later };
  return isDescending ? others : { OR: [others, { lastLoginAt: { not: null } }] };
}

function afterLogin(
  value: string,
  beyond: (at: Date) => { lt: Date } | { gt: Date },
  later: UserWhereInput,
): UserWhereInput {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) throw cursorInvalid();
  const range = beyond(at);
  const never = 'lt' in range ? [{ lastLoginAt: null }] : [];
  return { OR: [{ lastLoginAt: range }, { lastLoginAt: at, ...later }, ...never] };
}

/** The cursor of the page after this account. */
export function cursorAfter(order: AccountOrder, row: Row): string {
  const values: Record<Column, string | null> = {
    username: null,
    auth_source: row.authSource,
    last_login_at: row.lastLoginAt?.toISOString() ?? null,
  };
  return encodeNamed(order, { value: values[partsOf(order).column], name: row.usernameKey });
}

function partsOf(order: AccountOrder): { column: Column; isDescending: boolean } {
  const isDescending = order.startsWith('-');
  return { column: (isDescending ? order.slice(1) : order) as Column, isDescending };
}
