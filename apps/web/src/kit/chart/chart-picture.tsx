/** The drawing of a bar chart: lines with their values, bars, and the days below. */

import { useFormat } from '../../i18n/messages.ts';
import classes from './bar-chart.module.css';
import type { ChartDay, ChartSeries } from './chart-data.ts';
import { barParts, labelledDays } from './scale.ts';

/** Where the bars are, in pixels. */
export interface ChartFrame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The value of the top line. */
  highest: number;
}

interface ChartPictureProps {
  days: readonly ChartDay[];
  series: readonly ChartSeries[];
  lines: readonly { value: number; label: string }[];
  frame: ChartFrame;
  width: number;
  height: number;
  shown: number | null;
  show(index: number | null): void;
}

const WIDEST_BAR = 22;

export function ChartPicture(props: ChartPictureProps) {
  const { days, lines, frame, width, height, shown, show } = props;
  const bottom = frame.top + frame.height;
  const band = frame.width / days.length;
  const y = (value: number) => bottom - (value / frame.highest) * frame.height;
  return (
    <svg
      className={classes.picture}
      width={width}
      height={height}
      aria-hidden="true"
      onPointerLeave={() => show(null)}
    >
      {lines.map(({ value, label }) => (
        <g key={value}>
          <line
            className={value === 0 ? classes.base : classes.line}
            {...{ x1: frame.left, x2: width, y1: y(value), y2: y(value) }}
          />
          <text className={classes.value} x={frame.left - 8} y={y(value)}>
            {label}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <g key={day.day} onPointerEnter={() => show(index)}>
          <rect
            className={index === shown ? classes.chosen : classes.band}
            {...{ x: frame.left + index * band, y: frame.top, width: band, height: frame.height }}
          />
          <Bar day={day} {...props} x={frame.left + index * band} band={band} bottom={bottom} />
        </g>
      ))}
      <DayLabels {...props} band={band} bottom={bottom} />
    </svg>
  );
}

interface BarProps extends Pick<ChartPictureProps, 'series' | 'frame'> {
  day: ChartDay;
  x: number;
  band: number;
  bottom: number;
}

function Bar({ day: { values }, series, frame, x, band, bottom }: BarProps) {
  const middle = x + band / 2;
  if (values === null) return <circle className={classes.gap} cx={middle} cy={bottom} r={2.5} />;
  const width = Math.min(WIDEST_BAR, band * 0.7);
  const parts = barParts(
    series.map(({ name }) => [name, values[name] ?? 0] as const),
    frame.highest,
    frame.height,
  );
  return parts.map(({ name, y, height }) => (
    <rect
      key={name}
      data-series={name}
      x={middle - width / 2}
      y={frame.top + y + gapOf(height)}
      width={width}
      height={height - gapOf(height)}
      fill={series.find((each) => each.name === name)?.color}
    />
  ));
}

/** Between the parts of a bar, so that colour is not all that divides them. */
function gapOf(height: number): number {
  return height > 3 ? 1 : 0;
}

interface DayLabelsProps extends Pick<ChartPictureProps, 'days' | 'frame' | 'width'> {
  band: number;
  bottom: number;
}

/** A label at the end of the axis moves inwards: nothing leaves the card. */
function DayLabels({ days, frame, width, band, bottom }: DayLabelsProps) {
  const format = useFormat();
  const labels = labelledDays(
    days.map(({ day }) => day),
    frame.width,
    LABEL_ROOM,
  );
  return labels.map(({ index, newYear }) => {
    const day = days[index]?.day ?? '';
    const x = frame.left + (index + 0.5) * band;
    const atEnd = x + LABEL_WIDTH / 2 > width;
    const place = atEnd ? { x: width, style: AT_END } : { x };
    return (
      <text key={day} className={classes.day} {...place} y={bottom + 16}>
        {format.shortDay(day)}
        {newYear && (
          <tspan x={place.x} dy={15}>
            {day.slice(0, 4)}
          </tspan>
        )}
      </text>
    );
  });
}

const AT_END = { textAnchor: 'end' } as const;

/** Of the longest day, such as "30. Sept." or "30 sept.". */
const LABEL_WIDTH = 60;
/** From the middle of a label to the next, of which the last one moves inwards by up to a half. */
const LABEL_ROOM = 1.5 * LABEL_WIDTH;
