/** The order of a list that is loaded whole, by one of its columns. */
import { sortColumn } from './sort-order.ts';

/** Null: the row has no value in the column. */
export type SortValue = string | number | null;

/** By the name of the order; the same object in each render. */
export type SortValues<T> = Readonly<Record<string, (row: T) => SortValue>>;

/** Whether the list has the column of an order, which any reader may write into the address. */
export function hasColumn(values: SortValues<never>, order: string): boolean {
  return Object.hasOwn(values, sortColumn(order).column);
}

const NAMES = new Intl.Collator(undefined, { numeric: true });

/**
 * The rows in an order as `sort-order.ts` writes it. Those without a value are last in both
 * directions; those with the same value stay as they are.
 */
export function inColumnOrder<T>(
  rows: readonly T[],
  order: string,
  values: SortValues<T>,
): readonly T[] {
  const { column, descending } = sortColumn(order);
  const value = values[column];
  if (!value) return rows;
  const direction = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compared(a, b);
  });
}

function compared(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : NAMES.compare(String(a), String(b));
}
