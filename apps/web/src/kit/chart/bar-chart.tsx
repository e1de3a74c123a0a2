/**
 * A stacked bar for each day, as SVG. Screen readers get its summary, and each day's figures from a
 * slider, which the arrow keys move along the days.
 */
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { type Format, useFormat } from '../../i18n/messages.ts';
import classes from './bar-chart.module.css';
import type { ChartDay, ChartSeries, DayFigure } from './chart-data.ts';
import { type ChartFrame, ChartPicture } from './chart-picture.tsx';
import { axisValues } from './scale.ts';

interface BarChartProps {
  days: readonly ChartDay[];
  /** From the bottom of a bar to its top. */
  series: readonly ChartSeries[];
  /** For screen readers. */
  summary: string;
  dayLabel: string;
  /** Explains the mark of days without data, where there may be such days. */
  noData?: string;
}

const HEIGHT = 180;
const TOP = 10;
const BELOW = 24;
/** The year is below the day. */
const YEAR = 15;
/** The average width of a digit in the labels. */
const DIGIT = 7;

export function BarChart({ days, series, summary, dayLabel, noData = '' }: BarChartProps) {
  const format = useFormat();
  const { ref, width } = useElementSize();
  const [shown, setShown] = useState<number | null>(null);
  const values = axisValues(Math.max(...days.map((day) => totalOf(day, series))));
  const lines = values.map((value) => ({ value, label: axisLabel(value, values, format) }));
  const left = Math.max(...lines.map(({ label }) => label.length)) * DIGIT + 10;
  const frame: ChartFrame = {
    left,
    top: TOP,
    width: Math.max(0, width - left),
    height: HEIGHT - TOP - BELOW - (inOneYear(days) ? 0 : YEAR),
    highest: values.at(-1) ?? 1,
  };
  const day = shown === null ? undefined : days[shown];
  const words = (each: ChartDay) => figuresOf(each, series, noData, format.number);
  return (
    <div>
      <div ref={ref} className={classes.plot}>
        <div role="img" aria-label={summary}>
          <ChartPicture
            {...{ days, series, lines, frame, shown, width }}
            height={HEIGHT}
            show={setShown}
          />
        </div>
        <input
          type="range"
          className={classes.slider}
          aria-label={dayLabel}
          aria-valuetext={valueText(days[shown ?? days.length - 1], words, format)}
          min={0}
          max={days.length - 1}
          value={shown ?? days.length - 1}
          onChange={({ currentTarget }) => setShown(Number(currentTarget.value))}
          onFocus={() => setShown(days.length - 1)}
          onBlur={() => setShown(null)}
          onKeyDown={({ key }) => key === 'Escape' && setShown(null)}
        />
        {day && shown !== null && (
          <DayFigures
            title={format.day(day.day)}
            figures={words(day)}
            at={left + ((shown + 0.5) / days.length) * frame.width}
            width={width}
          />
        )}
      </div>
      <Legend series={series} noData={days.some((each) => each.values === null) ? noData : null} />
    </div>
  );
}

function Legend({ series, noData }: { series: readonly ChartSeries[]; noData: string | null }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ name, label, color }) => (
        <li key={name}>
          <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
          {label}
        </li>
      ))}
      {noData !== null && (
        <li>
          <span className={classes.none} aria-hidden="true" />
          {noData}
        </li>
      )}
    </ul>
  );
}

function inOneYear(days: readonly ChartDay[]): boolean {
  return days[0]?.day.slice(0, 4) === days.at(-1)?.day.slice(0, 4);
}

function totalOf({ values }: ChartDay, series: readonly ChartSeries[]): number {
  return series.reduce((sum, { name }) => sum + (values?.[name] ?? 0), 0);
}

/** Long numbers would take the room of the bars. */
function axisLabel(
  value: number,
  values: readonly number[],
  format: Pick<Format, 'number' | 'compact'>,
): string {
  return (values.at(-1) ?? 0) >= 1_000_000 ? format.compact(value) : format.number(value);
}

function figuresOf(
  { values }: ChartDay,
  series: readonly ChartSeries[],
  noData: string,
  number: (value: number) => string,
): DayFigure[] {
  if (values === null) return [{ label: noData, value: null, color: null }];
  return series.map(({ name, label, color }) => ({
    label,
    value: number(values[name] ?? 0),
    color,
  }));
}

function valueText(
  day: ChartDay | undefined,
  words: (day: ChartDay) => DayFigure[],
  format: Pick<Format, 'day' | 'colon'>,
): string {
  if (!day) return '';
  const figures = words(day).map(({ label, value }) =>
    value === null ? label : `${label} ${value}`,
  );
  return `${format.day(day.day)}${format.colon}${figures.join(', ')}`;
}

interface DayFiguresProps {
  title: string;
  figures: DayFigure[];
  /** The middle of the day's bar. */
  at: number;
  /** The chart's width: the figures stay inside of it. */
  width: number;
}

/** The figures of the day under the pointer, or of the day that the keyboard chose. */
function DayFigures({ title, figures, at, width }: DayFiguresProps) {
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
