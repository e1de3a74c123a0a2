/** The rows of a list without those that an act will remove, to be selected. */
import { useMemo } from 'react';
import { useHiddenRows } from '../action/pending-acts.ts';
import type { SelectedRows } from '../table/selected-rows.ts';
import { useRowSelection } from '../table/use-row-selection.ts';

interface Selectable<T> {
  rows: readonly T[];
  selection: SelectedRows;
}

/**
 * @param all and `keyOf` are the same until they change
 * @param filter another one starts with no selection
 * @param refusalOf why a row may not be selected; the same until it changes
 */
export function useSelectable<T>(
  all: readonly T[],
  keyOf: (row: T) => string,
  filter: string,
  refusalOf?: (row: T) => string | null,
): Selectable<T> {
  const hidden = useHiddenRows();
  const rows = useMemo(
    () => (hidden.size === 0 ? all : all.filter((row) => !hidden.has(keyOf(row)))),
    [all, hidden, keyOf],
  );
  const selectable = useMemo(
    () => (refusalOf ? rows.filter((row) => refusalOf(row) === null) : rows),
    [rows, refusalOf],
  );
  return { rows, selection: useRowSelection(selectable, keyOf, filter) };
}
