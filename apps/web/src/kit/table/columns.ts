/** What a table is made of: its columns, its order and its rows. */
import type { ReactNode } from 'react';
import type { SelectedRows } from './selected-rows.ts';

export interface Column<T> {
  /** Absent: that of the order. */
  id?: string;
  title: ReactNode;
  /** The name of the column in the orders of the list. */
  sort?: string;
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
