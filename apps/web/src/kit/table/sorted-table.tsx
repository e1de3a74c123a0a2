/** A table of rows that are loaded whole, sorted by its headings. The order is in the address. */

import type { DataTableProps } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { type ColumnOrder, useColumnOrder } from './use-column-order.ts';

type SortedTableProps<T> = Omit<DataTableProps<T>, 'sorting'> & ColumnOrder<T>;

export function SortedTable<T>({ values, first, parameter, ...table }: SortedTableProps<T>) {
  const { rows, sorting } = useColumnOrder(table.rows, { values, first, parameter });
  return <DataTable {...table} rows={rows} sorting={sorting} />;
}
