import type { DataTableProps } from './columns.ts';
import { TableRow } from './table-row.tsx';

/** All rows of a table. */
export function PlainBody<T>({ rows, ...table }: DataTableProps<T>) {
  return (
    <tbody>
      {rows.map((row) => (
        <TableRow key={table.keyOf(row)} row={row} {...table} />
      ))}
    </tbody>
  );
}
