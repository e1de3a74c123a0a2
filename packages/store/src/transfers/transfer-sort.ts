/**
 * The orders of the list of transfers: the columns, and where the next page begins. Equal ones are
 * newest first, so that each has one place. Its status may change meanwhile: the cursor has the one
 * that the page ended with.
 */
import { type TransferSort, transferStatus } from '@portcullis/domain';
import { Prisma } from '../database.ts';
import { cursorAfter, inSql, orderParts } from '../keyed-order.ts';
import { decodeCursor, decodeKeyed } from '../page.ts';
import type { Transfer } from './records.ts';
import { STATUS } from './transfer-filter.ts';

const NEWEST_FIRST = Prisma.sql`t.created_at DESC, t.id DESC`;

interface SortKey {
  column: Prisma.Sql;
  of(transfer: Transfer): string;
}

const KEYS: Record<string, SortKey> = {
  status: {
    column: STATUS,
    of: ({ counts, selections }) =>
      transferStatus(
        counts,
        selections.map(({ state }) => state),
      ),
  },
  owner: {
    column: Prisma.sql`u.username_key`,
    of: ({ ownerName }) => ownerName.toLowerCase(),
  },
};

export function orderOf(sort: TransferSort): Prisma.Sql {
  const { key, isDescending } = orderParts(sort, KEYS);
  if (!key) return isDescending ? NEWEST_FIRST : Prisma.sql`t.created_at, t.id`;
  return Prisma.sql`${key.column} ${inSql(isDescending).direction}, ${NEWEST_FIRST}`;
}

/** The transfers after those of the previous page. @throws invalid `CURSOR_INVALID` */
export function afterCursor(sort: TransferSort, cursor: string | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`true`;
  const { key, isDescending } = orderParts(sort, KEYS);
  const { beyond } = inSql(isDescending);
  if (!key) {
    const { at, id } = decodeCursor(cursor);
    return Prisma.sql`(t.created_at, t.id) ${beyond} (${at}, ${id}::uuid)`;
  }
  const { value, at, id } = decodeKeyed(sort, cursor);
  return Prisma.sql`(${key.column} ${beyond} ${value}
    OR (${key.column} = ${value} AND (t.created_at, t.id) < (${at}, ${id}::uuid)))`;
}

/** The cursor of the page after this transfer. */
export function cursorOf(sort: TransferSort, transfer: Transfer): string {
  const { key } = orderParts(sort, KEYS);
  return cursorAfter(sort, key?.of(transfer), { at: transfer.createdAt, id: transfer.id });
}
