/** What a table is made of: its columns, its order and its rows. */
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { type Format, type Messages, useWords } from '../../i18n/messages.ts';
import { RelativeTime } from '../text/relative-time.tsx';
import type { SortValue } from './column-order.ts';
import type { SelectedRows } from './selected-rows.ts';
import table from './table.module.css';

export interface Column<T> {
  /** Absent: that of the order. */
  id?: string;
  title: ReactNode;
  /** The name of the column in the orders of the list. */
  sort?: string;
  /** The value of a row in that order, where the rows are loaded whole; the same in each render. */
  by?: (row: T) => SortValue;
  /** The first click sorts it in descending order, as for times and sizes. */
  descendsFirst?: boolean;
  /** Of the heading and the cells. */
  className?: string | undefined;
  /** Shown before the value on a phone, which has no headings. */
  label?: string;
  /** The share of the width where the list is long: its rows must not move the columns. */
  width?: string;
  cell(row: T): ReactNode;
}

export interface Sorting {
  order: string;
  onChange(order: string): void;
}

export interface DataTableProps<T> {
  rows: readonly T[];
  columns: readonly Column<T>[];
  keyOf(row: T): string;
  /** What a row is called by its checkbox. */
  nameOf?: (row: T) => string;
  sorting?: Sorting | undefined;
  selection?: SelectedRows | undefined;
  /** Why a row may not be selected; null where it may. */
  refusalOf?: ((row: T) => string | null) | undefined;
  /** Marks rows that stand out. */
  toneOf?: (row: T) => string | undefined;
  className?: string | undefined;
  /** Estimated, of a row of a long list. */
  rowHeight?: number;
  /** In an element that scrolls, such as a drawer. */
  inner?: boolean;
}

/**
 * A hook for columns that stay the same until the language or what is given is another one: with
 * other columns all rows are rendered again.
 */
export function defineColumns<G extends keyof Messages, T, A extends unknown[]>(
  group: G,
  make: (t: Messages[G], format: Format, ...given: A) => Column<T>[],
): (...given: A) => Column<T>[] {
  return (...given) => {
    const [t, format] = useWords(group);
    // biome-ignore lint/correctness/useExhaustiveDependencies: the array differs in each render
    return useMemo(() => make(t, format, ...given), [t, format, ...given]);
  };
}

/** A column of quiet values, which a phone shows behind their name. */
export function quiet<T>(column: Column<T> & { title: string }): Column<T> {
  return { label: column.title, className: table.quiet, ...column };
}

/** A column of times, sorted by the name of its field. @param none where a row has no time */
export function timeColumn<K extends string>(
  field: K,
  title: string,
  { none, ...look }: Partial<Omit<Column<never>, 'by'>> & { none?: string } = {},
): Column<Record<K, string | null>> {
  return {
    title,
    sort: field,
    descendsFirst: true,
    className: `${table.quiet} ${table.nowrap}`,
    width: '130px',
    by: ({ [field]: at }) => at,
    ...look,
    cell: ({ [field]: at }) => (at === null ? none : <RelativeTime at={at} />),
  };
}

type RowNameProps = ({ to: string } | { onOpen(): void }) & {
  children: ReactNode;
  /** Badges behind the name. */
  beside?: ReactNode;
  /** In a line below. */
  under?: ReactNode;
};

/** The name of a row. It leads to a page or opens something, and the whole row reacts to it. */
export function RowName({ children, beside, under, ...act }: RowNameProps) {
  return (
    <>
      {'to' in act ? (
        <Link to={act.to} className={table.name}>
          {children}
        </Link>
      ) : (
        <button type="button" className={table.name} onClick={act.onOpen}>
          {children}
        </button>
      )}
      {beside && <> {beside}</>}
      {under && <span className={table.under}>{under}</span>}
    </>
  );
}
