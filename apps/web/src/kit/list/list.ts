/** A list as its parts use it: the table, the filters and the bar of selected rows. */

import type { UseQueryResult } from '@tanstack/react-query';
import type { DataTableProps } from '../table/columns.tsx';
import type { SelectedRows } from '../table/selected-rows.ts';
import type { ListFilter } from './filter.ts';

export interface List<T> {
  /** What it is loaded by; with further pages where the list has them. */
  pages: Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'refetch'> & {
    hasNextPage?: boolean;
    isFetchingNextPage?: boolean;
    isPlaceholderData?: boolean;
    fetchNextPage?(): Promise<unknown>;
  };
  /** Of the loaded rows. */
  table: Pick<DataTableProps<T>, 'rows' | 'keyOf' | 'nameOf' | 'sorting'>;
  /** The selection ends where it is another one. */
  question: string;
  /** How many match; null where they are loaded whole, or the API does not say. */
  total: number | null;
  /** All that match, also those that are not loaded. */
  all(): Promise<readonly T[]>;
  isFiltered: boolean;
  clear(): void;
}

/** A list without the rows that an act will remove, and with those that are selected. */
export interface SelectableList<T> extends List<T> {
  table: List<T>['table'] & { selection: SelectedRows };
}

/** The state of a filter. */
export type StateOf<F> = F extends ListFilter<infer S, infer _> ? S : never;

/** A list whose filter is in the address. */
export interface FilteredList<T, S> extends List<T> {
  state: S;
  /** By what changes, or by a function of the latest state. */
  change(change: Partial<S> | ((latest: S) => Partial<S>)): void;
  /** The query of the address that a saved filter has. */
  saved: string;
}
