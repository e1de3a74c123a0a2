/** The rows of a list that is loaded whole in the order of its heading, which is in the address. */
import { useMemo } from 'react';
import { useOrderParameter } from '../use-order-parameter.ts';
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
