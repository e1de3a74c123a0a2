import type { KeyboardEvent } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import type { DataTableProps } from './columns.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import type { SelectedRows } from './selected-rows.ts';
import classes from './table.module.css';
import type { RowAttributes } from './virtual-rows.tsx';

type TableRowProps<T> = Pick<
  DataTableProps<T>,
  'columns' | 'keyOf' | 'nameOf' | 'selection' | 'toneOf'
> & { row: T; place?: RowAttributes };

export function TableRow<T>({ row, place, ...table }: TableRowProps<T>) {
  const { columns, keyOf, nameOf, selection, toneOf } = table;
  const t = useMessages('table');
  const id = keyOf(row);
  const isSelected = selection?.has(id);
  return (
    <tr
      {...place}
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
