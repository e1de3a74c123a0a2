/**
 * A table of rows with columns that may be sorted, and rows that may be selected: by their
 * checkboxes, by Space on the focused row, and with Shift from the row before. Long lists have only
 * their visible rows in the document.
 */
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { loadedPart } from '../loaded-part.tsx';
import type { DataTableProps } from './columns.tsx';
import { HeadRow } from './head-row.tsx';
import { PlainBody } from './plain-body.tsx';
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
