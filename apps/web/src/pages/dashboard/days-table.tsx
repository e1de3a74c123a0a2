/** Shows the figures of a chart as a table of days. */
import { useWords } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import classes from './dashboard.module.css';

interface DaysTableProps<Column extends string> {
  days: ({ day: string } & Record<Column, number>)[];
  columns: { name: Column; label: string }[];
}

/** The newest day first. */
export function DaysTable<Column extends string>({ days, columns }: DaysTableProps<Column>) {
  const [t, format] = useWords('dashboard');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must get in
    <div className={classes.tableFrame} tabIndex={0}>
      <table className={`${table.table} ${table.inner}`}>
        <thead>
          <tr>
            <th scope="col">{t.day}</th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col" className={table.number}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((day) => (
            <tr key={day.day}>
              <td>{format.day(day.day)}</td>
              {columns.map(({ name, label }) => (
                <td key={name} className={table.number} data-label={label}>
                  {format.number(day[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
