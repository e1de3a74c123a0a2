/** Shows the figures of a chart as a table of days. */
import { useWords } from '../../../i18n/messages.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import classes from './trends.module.css';

type Day<Name extends string> = { day: string } & Record<Name, number>;

interface DaysTableProps<Name extends string> {
  days: Day<Name>[];
  columns: { name: Name; label: string }[];
}

/** The newest day first. */
export function DaysTable<Name extends string>({ days, columns }: DaysTableProps<Name>) {
  const [t, format] = useWords('dashboard');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must get in
    <div className={classes.tableFrame} tabIndex={0}>
      <DataTable
        rows={days.toReversed()}
        columns={[
          { id: 'day', title: t.day, cell: ({ day }) => format.day(day) },
          ...columns.map(({ name, label }) => ({
            id: name,
            title: label,
            label,
            className: table.number,
            cell: (day: Day<Name>) => format.number(day[name]),
          })),
        ]}
        keyOf={({ day }) => day}
        className={table.inner}
      />
    </div>
  );
}
