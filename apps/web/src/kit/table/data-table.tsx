/**
 * A table of rows with columns that may be sorted, and rows that may be selected: by their
 * checkboxes, by Space on the focused row, and with Shift from the row before. Long lists have only
 * their visible rows in the document.
 */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { loadedPart } from '../loaded-part.tsx';
import type { Column, DataTableProps, Sorting } from './columns.tsx';
import { withFirstOthers } from './first-others.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import { ariaSort, nextOrder } from './sort-order.ts';
import classes from './table.module.css';
import { tableRow } from './table-row.tsx';

const VirtualBody = loadedPart(() => import('./virtual-body.tsx'));

/** Lists up to this length are cheaper whole. */
const MOST_PLAIN_ROWS = 100;
const ROW_HEIGHT = 52;

/** Other rows are rendered in slices of time, so that the page answers meanwhile. */
export function DataTable<T>({ rows: latest, ...table }: DataTableProps<T>) {
  const { columns, keyOf, selection, className = '' } = table;
  const rows = useDeferredValue(latest);
  const props = { ...table, rows };
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf]);
  const isFirst = useRef(true);
  useEffect(() => {
    isFirst.current = false;
  }, []);
  const isLong = useHasBeen(rows.length > MOST_PLAIN_ROWS);
  const t = useMessages('table');
  const count = selection?.ids.length ?? 0;
  return (
    <>
      {selection && (
        <span className={classes.hidden} role="status">
          {count > 0 && t.selected(count)}
        </span>
      )}
      <table
        className={`${classes.table} ${isLong ? classes.steady : ''} ${className}`}
        aria-rowcount={isLong ? rows.length + 1 : undefined}
      >
        {isLong && (
          <colgroup>
            {selection && <col style={{ width: 44 }} />}
            {columns.map(({ id, sort, width }) => (
              <col key={id ?? sort} style={{ width }} />
            ))}
          </colgroup>
        )}
        <HeadRow {...props} />
        {isLong ? (
          <VirtualBody
            waiting={<PlainBody {...props} isFirst rows={rows.slice(0, MOST_PLAIN_ROWS)} />}
            keys={keys}
            columns={columns.length + (selection ? 1 : 0)}
            height={props.rowHeight ?? ROW_HEIGHT}
            inner={props.inner}
          >
            {(index, measure) => {
              const row = rows[index];
              return row && tableRow(props, row, { index, measure });
            }}
          </VirtualBody>
        ) : (
          <PlainBody {...props} isFirst={isFirst.current} />
        )}
      </table>
    </>
  );
}

/**
 * A table that a search shortened stays long: its columns do not move, and no other body is
 * mounted.
 */
function useHasBeen(now: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(now);
  if (now && !hasBeen) setHasBeen(true);
  return now || hasBeen;
}

/** The headings of a table: buttons where the list can be sorted by the column. */
function HeadRow<T>({ columns, sorting, selection }: DataTableProps<T>) {
  const t = useMessages('table');
  const chosen = selection?.ids.length ?? 0;
  return (
    <thead>
      <tr>
        {selection && (
          <td className={classes.choice}>
            <RowCheckbox
              label={t.selectAll}
              checked={chosen > 0 && chosen === selection.loaded}
              partly={chosen > 0 && chosen < selection.loaded}
              disabled={selection.loaded === 0}
              onToggle={selection.toggleAll}
            />
          </td>
        )}
        {columns.map((column) => (
          <Heading key={column.id ?? column.sort} column={column} sorting={sorting} />
        ))}
      </tr>
    </thead>
  );
}

function Heading<T>({ column, sorting }: { column: Column<T>; sorting: Sorting | undefined }) {
  const { title, className, sort } = column;
  // Screen readers announce an empty heading.
  if (title === null) return <td className={className} />;
  if (sort === undefined || sorting === undefined)
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  const direction = ariaSort(sorting.order, sort);
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button
        type="button"
        className={classes.sort}
        data-sorted={direction}
        onClick={() => sorting.onChange(nextOrder(sorting.order, sort, column.descendsFirst))}
      >
        {title}
        <Arrow size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

const NONE: ReadonlySet<string> = new Set();

interface PlainBodyProps<T> extends DataTableProps<T> {
  /** Whether the page has just been opened: its scroll position needs all rows. */
  isFirst: boolean;
}

/** All rows of a table. Rows that were not shown before are mounted ten at a time. */
function PlainBody<T>({ isFirst, ...table }: PlainBodyProps<T>) {
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
