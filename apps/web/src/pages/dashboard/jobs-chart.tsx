/** Alone in its chunk: the charting library is larger than the rest of the page. */
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useFormat } from '../../i18n/format.ts';
import type { JobDay } from './job-days.ts';

const SERIES = [
  ['pushed', 'var(--good)'],
  ['other', 'var(--line-strong)'],
  ['blocked', 'var(--critical)'],
  ['failed', 'var(--high)'],
] as const;

interface JobsChartProps {
  days: JobDay[];
  names: Record<(typeof SERIES)[number][0], string>;
}

export default function JobsChart({ days, names }: JobsChartProps) {
  const format = useFormat();
  return (
    <BarChart
      h={220}
      type="stacked"
      data={days.map((day) => ({ ...day, day: format.date(day.day) }))}
      dataKey="day"
      series={SERIES.map(([name, color]) => ({ name, color, label: names[name] }))}
      valueFormatter={(value) => format.number(value)}
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      gridAxis="x"
      tickLine="none"
      yAxisProps={{ allowDecimals: false, width: 36 }}
      xAxisProps={{ minTickGap: 32 }}
      barProps={{ isAnimationActive: false }}
      maxBarWidth={22}
    />
  );
}
