/**
 * Orders of lists by a column, where equal rows are newest first, or by time alone. A minus sign is
 * descending.
 */
import { Prisma } from './database.ts';
import {
  cursorInvalid,
  decodeCursor,
  decodeKeyed,
  encodeCursor,
  encodeKeyed,
  timeIn,
} from './page.ts';

export interface OrderParts<K> {
  /** The column; undefined for the order by time. */
  key: K | undefined;
  isDescending: boolean;
}

export function orderParts<K>(order: string, keys: Readonly<Record<string, K>>): OrderParts<K> {
  const isDescending = order.startsWith('-');
  return { key: keys[isDescending ? order.slice(1) : order], isDescending };
}

/** The column of an order that is by a column in any case, and its direction in SQL. */
export function columnOf<K extends object>(order: string, keys: Readonly<Record<string, K>>) {
  const { key, isDescending } = orderParts(order, keys);
  if (!key) throw new Error(`no column of the order ${order}`);
  return { ...key, ...inSql(isDescending) };
}

/** The direction of an order, and the comparison with the rows after a value. */
export function inSql(isDescending: boolean) {
  return isDescending
    ? { direction: Prisma.sql`DESC`, beyond: Prisma.sql`<` }
    : { direction: Prisma.sql`ASC`, beyond: Prisma.sql`>` };
}

/**
 * The cursor of the page after a row.
 * @param value of its column; undefined for the order by time
 */
export function cursorAfter(
  order: string,
  value: string | undefined,
  position: { at: Date; id: string },
): string {
  return value === undefined
    ? encodeCursor(position.at, position.id)
    : encodeKeyed(order, { value, ...position });
}

export type Direction = 'asc' | 'desc';
type Beyond<V> = { gt: V } | { lt: V } | { gte: V } | { lte: V } | V;

/** The rows after a value of a column, and of the equal ones those of `equal`. */
export function afterKeyed<V, W>(
  is: (condition: Beyond<V>) => W,
  { value, direction, equal }: { value: V; direction: Direction; equal: W },
) {
  const [beyond, from] =
    direction === 'asc' ? [{ gt: value }, { gte: value }] : [{ lt: value }, { lte: value }];
  // The first condition says what the second implies, in a form that an index can begin at.
  return { AND: [is(from), { OR: [is(beyond), { AND: [is(value), equal] }] }] };
}

export function byTime(direction: Direction) {
  return [{ createdAt: direction }, { id: direction }];
}

/** The rows after a place in the order by time. */
function laterThan({ at, id }: { at: Date; id: string }, direction: Direction) {
  return direction === 'desc'
    ? { OR: [{ createdAt: { lt: at } }, { createdAt: at, id: { lt: id } }] }
    : { OR: [{ createdAt: { gt: at } }, { createdAt: at, id: { gt: id } }] };
}

/** A column that a list of Prisma is ordered by. */
export interface OrderColumn<Row, By, Where> {
  /** Its value in a cursor. */
  of(row: Row): string;
  by(direction: Direction): By[];
  /** The rows after a value, and of the equal ones those of `equal`. */
  after(value: string, direction: Direction, equal: Where): Where;
}

interface KeyedRow {
  id: string;
  createdAt: Date;
}

type Both<Name extends string> = Name | `-${Name}`;
type ByTime = ReturnType<typeof byTime>[number];
type Later = ReturnType<typeof laterThan>;

export interface KeyedOrders<Name extends string, Group extends string, Row, By, Where> {
  /** The columns by which the list is ordered; by a group, its rows. */
  by(order: Both<Name | Group | 'created_at'>): By[];
  /** The rows after those of the previous page. @throws invalid `CURSOR_INVALID` */
  after(order: Both<Name | 'created_at'>, cursor: string | null | undefined): Where;
  /** The cursor of the page after this row. */
  cursorOf(order: Both<Name | Group | 'created_at'>, row: Row): string;
}

/**
 * The orders of a list by each of the columns, and by time.
 * @param groups values by which its rows are read apart: see `groupsAfter`
 */
export function keyedOrders<
  Row extends KeyedRow,
  By,
  Where,
  Name extends string,
  Group extends string = never,
>(
  columns: Readonly<Record<Name, OrderColumn<Row, By | ByTime, Where | Later>>>,
  groups?: Readonly<Record<Group, (row: Row) => string>>,
): KeyedOrders<Name, Group, Row, By | ByTime, Where | Later | Record<string, never>> {
  const groupOf = (order: string) => orderParts<(row: Row) => string>(order, groups ?? {}).key;
  const partsOf = (order: string) => {
    const { key, isDescending } = orderParts<(typeof columns)[Name]>(order, columns);
    return { key, direction: isDescending ? ('desc' as const) : ('asc' as const) };
  };
  return {
    by(order) {
      const { key, direction } = partsOf(order);
      if (groupOf(order)) return byTime('desc');
      return key ? [...key.by(direction), ...byTime('desc')] : byTime(direction);
    },
    after(order, cursor) {
      if (!cursor) return {};
      const { key, direction } = partsOf(order);
      if (!key) return laterThan(decodeCursor(cursor), direction);
      const { value, ...position } = decodeKeyed(order, cursor);
      return key.after(value, direction, laterThan(position, 'desc'));
    },
    cursorOf(order, row) {
      const value = groupOf(order)?.(row) ?? partsOf(order).key?.of(row);
      return cursorAfter(order, value, { at: row.createdAt, id: row.id });
    },
  };
}

/**
 * The rows after those of the previous page, in a list whose groups are read apart
 * (grouped-rows.ts): a condition for each group.
 * @param groups in the order of the list
 * @throws invalid `CURSOR_INVALID`
 */
export function groupsAfter<Group extends string, Where>(
  groups: readonly Group[],
  conditionOf: (group: Group) => Where,
  { order, cursor }: { order: string; cursor: string | null | undefined },
): (Where | { AND: [Where, Later] })[] {
  if (!cursor) return groups.map(conditionOf);
  const { value, ...position } = decodeKeyed(order, cursor);
  const from = groups.map(String).indexOf(value);
  const [first, ...others] = groups.slice(Math.max(0, from)).map(conditionOf);
  if (from === -1 || first === undefined) throw cursorInvalid();
  return [{ AND: [first, laterThan(position, 'desc')] }, ...others];
}

/** A time as a cursor has it. @throws invalid `CURSOR_INVALID` */
export function timeOf(value: string): Date {
  if (!/^\d{1,15}$/.test(value)) throw cursorInvalid();
  return timeIn(Number(value));
}
