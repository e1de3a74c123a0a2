import { type KeyboardEvent, memo } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import type { DataTableProps } from './columns.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import type { SelectedRows } from './selected-rows.ts';
import classes from './table.module.css';
import type { RowAttributes } from './virtual-rows.tsx';

interface TableRowProps<T>
  extends Pick<DataTableProps<T>, 'columns' | 'keyOf' | 'nameOf' | 'selection' | 'toneOf'> {
  row: T;
  /** Of a long list, which has few rows in the document. */
  index?: number;
  measure?: RowAttributes['ref'];
}

/** Not rendered again while a long list is scrolled. */
export const TableRow = memo(Row) as typeof Row;

function Row<T>({ row, index, measure, ...table }: TableRowProps<T>) {
  const { columns, keyOf, nameOf, selection, toneOf } = table;
  const t = useMessages('table');
  const id = keyOf(row);
  const isSelected = selection?.has(id);
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={isSelected}
      data-tone={toneOf?.(row)}
      onKeyDown={selection && ((event) => onKey(event, id, selection))}
    >
      {selection && (
        <td className={classes.choice}>
          <RowCheckbox
            label={t.select(nameOf?.(row) ?? id)}
            checked={isSelected ?? false}
            onToggle={(range) => selection.toggle(id, range)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={column.className} data-label={column.label}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Space on the link of the row; checkboxes and buttons use it themselves. */
function onKey(
  event: KeyboardEvent<HTMLTableRowElement>,
  id: string,
  selection: SelectedRows,
): void {
  if (event.key === 'Escape') selection.clear();
  if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  selection.toggle(id, event.shiftKey);
}
