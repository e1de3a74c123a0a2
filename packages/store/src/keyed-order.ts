/**
 * Orders of lists by a column, where equal rows are newest first, or by time alone. A minus sign is
 * descending.
 */
import { encodeCursor, encodeKeyed } from './page.ts';

export interface OrderParts<K> {
  /** The column; undefined for the order by time. */
  key: K | undefined;
  isDescending: boolean;
}

export function orderParts<K>(order: string, keys: Readonly<Record<string, K>>): OrderParts<K> {
  const isDescending = order.startsWith('-');
  return { key: keys[isDescending ? order.slice(1) : order], isDescending };
}

/**
 * The cursor of the page after a row.
 * @param value of its column; undefined for the order by time
 */
export function cursorAfter(
  order: string,
  value: string | undefined,
  place: { at: Date; id: string },
): string {
  return value === undefined
    ? encodeCursor(place.at, place.id)
    : encodeKeyed(order, { value, ...place });
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
export function laterThan({ at, id }: { at: Date; id: string }, direction: Direction) {
  return direction === 'desc'
    ? { OR: [{ createdAt: { lt: at } }, { createdAt: at, id: { lt: id } }] }
    : { OR: [{ createdAt: { gt: at } }, { createdAt: at, id: { gt: id } }] };
}
