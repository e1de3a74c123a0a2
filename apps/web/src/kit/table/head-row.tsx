/** The headings of a table: buttons where the list can be sorted by the column. */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import type { Column, DataTableProps, Sorting } from './columns.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import { ariaSort, nextOrder } from './sort-order.ts';
import classes from './table.module.css';

export function HeadRow<T>({ columns, sorting, selection }: DataTableProps<T>) {
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
