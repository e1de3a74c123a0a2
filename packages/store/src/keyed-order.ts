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
