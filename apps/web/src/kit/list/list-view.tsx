/**
 * A list as a table with its next pages; in place of the rows a skeleton, what went wrong, or what
 * to do where there are none.
 */
import { Stack } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { useHiddenRows } from '../action/pending-acts.ts';
import { NoMatch } from '../layout/empty-state.tsx';
import { QueryView } from '../layout/query-view.tsx';
import type { DataTableProps } from '../table/columns.tsx';
import { DataTable } from '../table/data-table.tsx';
import { MoreButton } from '../table/more-button.tsx';
import type { SelectedRows } from '../table/selected-rows.ts';
import styles from '../table/table.module.css';
import { useRowSelection } from '../table/use-row-selection.ts';
import { Dimmed } from '../text/dimmed.tsx';
import classes from './list.module.css';
import type { List, SelectableList } from './list.ts';

interface ListViewProps<T> extends Omit<DataTableProps<T>, keyof List<T>['table']> {
  list: List<T>;
  /** Of the list, where it has a filter or several pages. */
  words?: { more?: string; noMatchTitle?: string; noMatchText?: string };
  /** Instead of no rows at all. */
  empty: ReactNode;
  count?(total: number): string;
  /** Filters that depend on the rows: they appear with these, so that nothing moves. */
  head?: ReactNode;
  /** Below the rows. */
  footer?: ReactNode;
  /** Whether rows can be selected; absent: where they have a name. */
  selects?: boolean;
  /** It is in a panel, which has the frame. */
  panel?: boolean;
  /** The bar of selected rows. */
  children?(list: SelectableList<T>): ReactNode;
}

export function ListView<T>(props: ListViewProps<T>) {
  const { list, empty, panel, head, footer, children, ...rest } = props;
  const { clear } = useMessages('filters');
  const { pages, table, total, question } = list;
  const { rows, selection } = useSelectable(table.rows, table.keyOf, question, rest.refusalOf);
  const { words = {}, count, selects = table.nameOf !== undefined, ...look } = rest;
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = pages;
  const { noMatchTitle, noMatchText, more } = words;
  return (
    <div className={panel ? classes.panel : undefined}>
      <QueryView query={pages} rows={6} rowHeight={look.rowHeight ?? 52}>
        {() => (
          <>
            {head}
            {rows.length > 0 || hasNextPage ? (
              <Stack gap="sm">
                <div className={classes.rows} data-stale={pages.isPlaceholderData || undefined}>
                  {rows.length > 0 && (
                    <DataTable
                      {...look}
                      {...table}
                      className={panel ? styles.inner : look.className}
                      rows={rows}
                      selection={selects ? selection : undefined}
                    />
                  )}
                </div>
                {count && rows.length > 0 && (
                  <Dimmed ta="center" aria-live="polite">
                    {count(total ?? rows.length)}
                  </Dimmed>
                )}
                {footer}
                {fetchNextPage && (
                  <MoreButton pages={{ hasNextPage, isFetchingNextPage, fetchNextPage }}>
                    {more}
                  </MoreButton>
                )}
              </Stack>
            ) : list.isFiltered && noMatchTitle !== undefined ? (
              <NoMatch title={noMatchTitle} text={noMatchText} clear={clear} onClear={list.clear} />
            ) : (
              empty
            )}
          </>
        )}
      </QueryView>
      {children?.({ ...list, table: { ...table, rows, selection } })}
    </div>
  );
}

interface Selectable<T> {
  rows: readonly T[];
  selection: SelectedRows;
}

/**
 * The rows of a list without those that an act will remove, to be selected.
 *
 * @param all and `keyOf` are the same until they change
 * @param filter another one starts with no selection
 * @param refusalOf why a row may not be selected; the same until it changes
 */
function useSelectable<T>(
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
