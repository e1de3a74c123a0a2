/** A separate chunk: the charting library is larger than the rest of the page. */
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useFormat } from '../../i18n/format.ts';

interface DaysChartProps {
  days: ({ day: string } & Record<string, number | string>)[];
  series: { name: string; label: string; color: string }[];
}

export default function DaysChart({ days, series }: DaysChartProps) {
  const format = useFormat();
  return (
    <BarChart
      h={220}
      type="stacked"
      data={days.map((day) => ({ ...day, day: format.date(day.day) }))}
      dataKey="day"
      series={series}
      valueFormatter={(value) => format.number(value)}
      withLegend
      legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
      gridAxis="x"
      tickLine="none"
      yAxisProps={{ allowDecimals: false, width: 36 }}
      xAxisProps={{ minTickGap: 32 }}
      barProps={{ isAnimationActive: false }}
      maxBarWidth={22}
    />
  );
}
