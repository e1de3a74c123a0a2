/** A table of rows that are loaded whole, sorted by its headings. The order is in the address. */
import { useMemo } from 'react';
import type { DataTableProps } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { type ColumnOrder, useColumnOrder } from './use-column-order.ts';

type SortedTableProps<T> = Omit<DataTableProps<T>, 'sorting'> &
  Partial<Omit<ColumnOrder<T>, 'values'>>;

/** By the columns that have a value to sort `by`; without a `first` order, in that of the rows. */
export function SortedTable<T>({ first = '', parameter, ...table }: SortedTableProps<T>) {
  const { columns } = table;
  const values = useMemo(
    () => Object.fromEntries(columns.flatMap(({ sort, by }) => (sort && by ? [[sort, by]] : []))),
    [columns],
  );
  const { rows, sorting } = useColumnOrder(table.rows, { values, first, parameter });
  return <DataTable {...table} rows={rows} sorting={sorting} />;
}
