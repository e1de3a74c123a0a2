/** The rows of a list that is loaded whole in the order of its heading, which is in the address. */
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { hasColumn, inColumnOrder, type SortValues } from './column-order.ts';
import type { Sorting } from './columns.tsx';

export interface ColumnOrder<T> {
  values: SortValues<T>;
  /** Without an order in the address, and of rows that have the same value. */
  first: string;
  /** Of the address, where a page has several lists. */
  parameter?: string | undefined;
}

export function useColumnOrder<T>(
  rows: readonly T[],
  { values, first, parameter }: ColumnOrder<T>,
): { rows: readonly T[]; sorting: Sorting } {
  const [asked, onChange] = useOrderParameter(parameter);
  const order = asked !== null && hasColumn(values, asked) ? asked : first;
  const listed = useMemo(() => inColumnOrder(rows, first, values), [rows, first, values]);
  return {
    rows: useMemo(() => inColumnOrder(listed, order, values), [listed, order, values]),
    sorting: { order, onChange },
  };
}

/**
 * The order of a list in a parameter of the address, beside the others. @returns the parameter as
 * it is, and what changes it
 */
function useOrderParameter(parameter = 'sort'): readonly [string | null, (order: string) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (order: string) =>
    setSearch(
      (now) => {
        now.set(parameter, order);
        return now;
      },
      { replace: true },
    );
  return [search.get(parameter), change];
}
