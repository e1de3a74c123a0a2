/** The figures of the day under the pointer, or of the day that the keyboard chose. */

import classes from './bar-chart.module.css';
import type { DayFigure } from './chart-data.ts';

interface DayFiguresProps {
  title: string;
  figures: DayFigure[];
  /** The middle of the day's bar. */
  at: number;
  /** The chart's width: the figures stay inside of it. */
  width: number;
}

export function DayFigures({ title, figures, at, width }: DayFiguresProps) {
  const side = at > width / 2 ? { right: width - at + 14 } : { left: at + 14 };
  return (
    <div className={classes.figures} style={side} aria-hidden="true">
      <strong>{title}</strong>
      {figures.map(({ label, value, color }) => (
        <span key={label}>
          {color !== null && <span className={classes.swatch} style={{ background: color }} />}
          <span>{label}</span>
          {value !== null && <b>{value}</b>}
        </span>
      ))}
    </div>
  );
}
