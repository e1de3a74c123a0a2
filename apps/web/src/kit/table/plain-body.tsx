import type { DataTableProps } from './columns.ts';
import { tableRow } from './table-row.tsx';

/** All rows of a table. */
export function PlainBody<T>(table: DataTableProps<T>) {
  return <tbody>{table.rows.map((row) => tableRow(table, row))}</tbody>;
}
