import { Skeleton, Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { lazy, Suspense } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { DaysTable } from './days-table.tsx';

const DaysChart = lazy(() => import('./days-chart.tsx'));

export function FindingDaysPanel({ days }: { days: DashboardStats['findings']['per_day'] }) {
  const t = useMessages('dashboard');
  const format = useFormat();
  const { severity } = useMessages('verdict');
  const flat = days.map(({ day, images, by_severity }) => ({ day, images, ...by_severity }));
  const scanned = flat.filter(({ images }) => images > 0);
  const last = scanned.at(-1);
  if (!last)
    return (
      <Panel title={t.findingDays}>
        <Text c="dimmed">{t.noScans}</Text>
      </Panel>
    );
  const found = SEVERITIES.reduce((sum, each) => sum + last[each], 0);
  const series = SEVERITIES.map((name) => ({ name, label: severity[name] }));
  return (
    <ChartPanel
      title={t.findingDays}
      sentence={t.findingDaysSentence(
        scanned.length,
        format.date(last.day),
        last.images,
        t.found(found),
      )}
      chart={
        <Suspense fallback={<Skeleton height={220} />}>
          <DaysChart
            days={flat}
            series={series.map((each) => ({ ...each, color: `var(--${each.name.toLowerCase()})` }))}
          />
        </Suspense>
      }
      table={
        <DaysTable days={scanned} columns={[{ name: 'images', label: t.images }, ...series]} />
      }
    />
  );
}
