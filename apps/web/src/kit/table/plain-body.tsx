import { useEffect, useReducer, useRef } from 'react';
import type { DataTableProps } from './columns.tsx';
import { withFirstOthers } from './first-others.ts';
import { tableRow } from './table-row.tsx';

const NONE: ReadonlySet<string> = new Set();

interface PlainBodyProps<T> extends DataTableProps<T> {
  /** Whether the page has just been opened: its scroll position needs all rows. */
  isFirst: boolean;
}

/** All rows of a table. Rows that were not shown before are mounted ten at a time. */
export function PlainBody<T>({ isFirst, ...table }: PlainBodyProps<T>) {
  const { keyOf } = table;
  const shown = useRef<ReadonlySet<string> | null>(isFirst ? null : NONE);
  const [, showMore] = useReducer((count: number) => count + 1, 0);
  const rows = shown.current === null ? table.rows : withFirstOthers(table, shown.current);
  const isWhole = rows.length === table.rows.length;
  useEffect(() => {
    shown.current = new Set(rows.map(keyOf));
    if (isWhole) return;
    const timer = setTimeout(showMore);
    return () => clearTimeout(timer);
  });
  return <tbody>{rows.map((row) => tableRow(table, row))}</tbody>;
}
