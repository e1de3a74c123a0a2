/** A list that is loaded whole, in the order of its heading, which is in the address. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { DataTableProps } from '../table/columns.tsx';
import { type ColumnOrder, useColumnOrder } from '../table/use-column-order.ts';
import type { List } from './list.ts';

/** Without `values` it keeps the order of the API. */
export interface WholeList<T>
  extends Pick<DataTableProps<T>, 'keyOf' | 'nameOf'>,
    Partial<ColumnOrder<T>> {}

const NONE: readonly never[] = [];
const UNSORTED = {};

/** @param list the same in each render */
export function useWholeList<T>(
  pages: Pick<UseQueryResult<readonly T[]>, 'data' | 'error' | 'isError' | 'refetch'>,
  { keyOf, nameOf, values = UNSORTED, first = '', parameter }: NoInfer<WholeList<T>>,
): List<T> {
  const { rows, sorting } = useColumnOrder(pages.data ?? NONE, { values, first, parameter });
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
