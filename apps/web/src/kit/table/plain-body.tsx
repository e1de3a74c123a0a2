import { useEffect, useReducer, useRef } from 'react';
import type { DataTableProps } from './columns.ts';
import { tableRow } from './table-row.tsx';

/** New rows in one task, in which a slow machine does not answer. */
const BATCH = 10;
const NONE: ReadonlySet<string> = new Set();

interface PlainBodyProps<T> extends DataTableProps<T> {
  /** Whether the page has just been opened: its scroll position needs all rows. */
  isFirst: boolean;
}

/** All rows of a table. Other rows than before are added in batches, each in a task of its own. */
export function PlainBody<T>({ isFirst, ...table }: PlainBodyProps<T>) {
  const { keyOf } = table;
  const shown = useRef<ReadonlySet<string> | null>(isFirst ? null : NONE);
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

/** Those that are shown, and the first of the others. */
function firstOf<T>({ rows, keyOf }: DataTableProps<T>, shown: ReadonlySet<string>): readonly T[] {
  let room = BATCH;
  return rows.filter((row) => {
    if (shown.has(keyOf(row))) return true;
    room -= 1;
    return room >= 0;
  });
}
