import { type KeyboardEvent, memo } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import type { RowAttributes } from '../virtual/virtual-rows.tsx';
import type { DataTableProps } from './columns.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import type { SelectedRows } from './selected-rows.ts';
import classes from './table.module.css';

/** Of a row in a long list, which has few rows in the document. */
interface RowPlace {
  index?: number;
  measure?: RowAttributes['ref'];
}

interface TableRowProps<T>
  extends RowPlace,
    Pick<DataTableProps<T>, 'columns' | 'nameOf' | 'toneOf'> {
  row: T;
  id: string;
  /** Why it may not be selected. */
  refusal: string | null;
  /** Absent where rows are not selected. */
  isSelected: boolean | undefined;
  onToggle: SelectedRows['toggle'] | undefined;
  onClear: SelectedRows['clear'] | undefined;
}

/** A row with that part of its table which it shows: another part does not render it again. */
export function tableRow<T>(table: DataTableProps<T>, row: T, place?: RowPlace) {
  const { columns, keyOf, nameOf, toneOf, refusalOf, selection } = table;
  const id = keyOf(row);
  const refusal = refusalOf?.(row) ?? null;
  return (
    <TableRow
      key={id}
      {...{ row, id, columns, nameOf, toneOf, refusal }}
      {...place}
      isSelected={refusal === null ? selection?.has(id) : undefined}
      onToggle={selection?.toggle}
      onClear={selection?.clear}
    />
  );
}

const TableRow = memo(Row) as typeof Row;

function Row<T>({ row, id, index, measure, isSelected, ...table }: TableRowProps<T>) {
  const { columns, nameOf, toneOf, refusal, onToggle, onClear } = table;
  const t = useMessages('table');

  /** Space on the link of the row; checkboxes and buttons use it themselves. */
  function onKey(event: KeyboardEvent<HTMLTableRowElement>): void {
    if (event.key === 'Escape') onClear?.();
    if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    if (refusal === null) onToggle?.(id, event.shiftKey);
  }

  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={isSelected}
      data-tone={toneOf?.(row)}
      onKeyDown={onToggle && onKey}
    >
      {onToggle && (
        <td className={classes.choice}>
          <RowCheckbox
            label={t.select(nameOf?.(row) ?? id)}
            checked={isSelected ?? false}
            disabled={refusal !== null}
            hint={refusal ?? undefined}
            onToggle={(range) => onToggle(id, range)}
          />
        </td>
      )}
      <Cells row={row} columns={columns} />
    </tr>
  );
}

/** A selection of all rows renders none of these again. */
const Cells = memo(RowCells) as typeof RowCells;

function RowCells<T>({ row, columns }: Pick<TableRowProps<T>, 'row' | 'columns'>) {
  return (
    <>
      {columns.map((column) => (
        <td key={column.id ?? column.sort} className={column.className} data-label={column.label}>
          {column.cell(row)}
        </td>
      ))}
    </>
  );
}
