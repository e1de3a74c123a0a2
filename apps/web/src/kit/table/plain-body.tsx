import { useEffect, useReducer, useRef } from 'react';
import type { DataTableProps } from './columns.ts';
import { tableRow } from './table-row.tsx';

/** New rows in one task, in which a slow machine does not answer. */
const BATCH = 10;

/** All rows of a table. Other rows than before are added in batches, each in a task of its own. */
export function PlainBody<T>(table: DataTableProps<T>) {
  const { keyOf } = table;
  const shown = useRef<ReadonlySet<string> | null>(null);
  const [, showMore] = useReducer((count: number) => count + 1, 0);
  const rows = shown.current === null ? table.rows : firstOf(table, shown.current);
  const isWhole = rows.length === table.rows.length;
  useEffect(() => {
    shown.current = new Set(rows.map(keyOf));
    if (isWhole) return;
    const timer = setTimeout(showMore);
    return () => clearTimeout(timer);
  });
  return <tbody>{rows.map((row) => tableRow(table, row))}</tbody>;
}

/** The rows before the first one that no longer fits in a batch. */
function firstOf<T>({ rows, keyOf }: DataTableProps<T>, shown: ReadonlySet<string>): readonly T[] {
  let room = BATCH;
  const end = rows.findIndex((row) => {
    if (!shown.has(keyOf(row))) room -= 1;
    return room < 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
