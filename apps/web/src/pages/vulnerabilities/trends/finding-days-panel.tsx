/** Shows the findings of each day by severity. */
import type { DashboardStats } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { BarChart } from '../../../kit/chart/bar-chart.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { DaysTable } from './days-table.tsx';

export function FindingDaysPanel({ days }: { days: DashboardStats['findings']['per_day'] }) {
  const [t, format] = useWords('dashboard');
  const { severity } = useMessages('verdict');
  const flat = days.map(({ day, images, by_severity }) => ({ day, images, ...by_severity }));
  const scanned = flat.filter(({ images }) => images > 0);
  const last = scanned.at(-1);
  if (!last) return <Panel title={t.findingDays} empty={t.noScans} />;
  const found = SEVERITIES.reduce((sum, each) => sum + last[each], 0);
  const series = SEVERITIES.map((name) => ({ name, label: severity[name] }));
  const sentence = t.findingDaysSentence(
    scanned.length,
    format.day(last.day),
    last.images,
    t.found(found),
  );
  return (
    <ChartPanel
      title={t.findingDays}
      sentence={sentence}
      chart={
        <BarChart
          summary={`${t.findingDays}. ${sentence}`}
          days={days.map(({ day, images, by_severity: values }) => ({
            day,
            values: images > 0 ? values : null,
          }))}
          series={series.map((each) => ({ ...each, color: `var(--${each.name.toLowerCase()})` }))}
          dayLabel={t.day}
          noData={t.notScanned}
        />
      }
      table={
        <DaysTable days={scanned} columns={[{ name: 'images', label: t.images }, ...series]} />
      }
    />
  );
}
