/** A table whose last column is also drawn as bars. */
import type { ReactNode } from 'react';
import classes from './bars.module.css';

interface Bar {
  key: string;
  name: ReactNode;
  value: number;
  shown: string;
  color?: string;
}

interface BarsProps {
  headings: [string, string];
  bars: Bar[];
}

export function Bars({ headings, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <table className={classes.bars}>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, name, value, shown, color }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>
              <span className={classes.figure}>{shown}</span>
              <span className={classes.track} aria-hidden="true">
                <span
                  data-empty={value === 0 || undefined}
                  className={classes.fill}
                  style={{ width: `${(value / most) * 100}%`, ...(color && { background: color }) }}
                />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
