/** A list that is loaded whole, in the order of its heading, which is in the address. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { DataTableProps } from '../table/columns.tsx';
import { type ColumnOrder, useColumnOrder } from '../table/use-column-order.ts';
import type { List } from './list.ts';

export interface WholeList<T> extends Pick<DataTableProps<T>, 'keyOf' | 'nameOf'>, ColumnOrder<T> {}

const NONE: readonly never[] = [];

/** @param list the same in each render */
export function useWholeList<T>(
  pages: Pick<UseQueryResult<readonly T[]>, 'data' | 'error' | 'isError' | 'refetch'>,
  { keyOf, nameOf, ...order }: NoInfer<WholeList<T>>,
): List<T> {
  const { rows, sorting } = useColumnOrder(pages.data ?? NONE, order);
  return {
    pages,
    table: { rows, keyOf, nameOf, sorting },
    question: '',
    total: null,
    all: async () => rows,
    isFiltered: false,
    clear: () => undefined,
  };
}
