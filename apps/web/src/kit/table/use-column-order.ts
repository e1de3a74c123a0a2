/** The rows of a list that is loaded whole in the order of its heading, which is in the address. */
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { inColumnOrder, type SortValues } from './column-order.ts';
import type { Sorting } from './columns.ts';
import { sortColumn } from './sort-order.ts';

interface ColumnOrder<T> {
  values: SortValues<T>;
  /** Without an order in the address, and of rows that have the same value. */
  first: string;
  /** Of the address, where a page has several lists. */
  parameter?: string;
}

export function useColumnOrder<T>(
  rows: readonly T[],
  { values, first, parameter = 'sort' }: ColumnOrder<T>,
): { rows: readonly T[]; sorting: Sorting } {
  const [search, setSearch] = useSearchParams();
  const asked = search.get(parameter) ?? first;
  const order = sortColumn(asked).column in values ? asked : first;
  const onChange = (next: string) =>
    setSearch(
      (now) => {
        now.set(parameter, next);
        return now;
      },
      { replace: true },
    );
  const listed = useMemo(() => inColumnOrder(rows, first, values), [rows, first, values]);
  return {
    rows: useMemo(() => inColumnOrder(listed, order, values), [listed, order, values]),
    sorting: { order, onChange },
  };
}
