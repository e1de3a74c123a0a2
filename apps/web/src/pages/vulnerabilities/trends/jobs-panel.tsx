/** Shows the jobs of each day by their outcome. */
import type { DashboardStats } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { BarChart } from '../../../kit/chart/bar-chart.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { DaysTable } from './days-table.tsx';
import { jobDays, jobTotals } from './job-days.ts';

const SERIES = [
  ['pushed', 'var(--good)'],
  ['other', 'var(--line-strong)'],
  ['blocked', 'var(--critical)'],
  ['failed', 'var(--high)'],
] as const;
const COLUMNS = ['total', 'pushed', 'blocked', 'failed'] as const;

export function JobsPanel({ jobs }: Pick<DashboardStats, 'jobs'>) {
  const t = useMessages('dashboard');
  const days = jobDays(jobs.per_day);
  const { total, pushed, blocked, failed } = jobTotals(days);
  if (total === 0) return <Panel title={t.jobs} empty={t.noJobs} />;
  const sentence = t.jobsSentence(total, pushed, blocked, failed);
  return (
    <ChartPanel
      title={t.jobs}
      sentence={sentence}
      chart={
        <BarChart
          summary={`${t.jobs}. ${sentence}`}
          days={days.map(({ day, ...values }) => ({ day, values }))}
          series={SERIES.map(([name, color]) => ({ name, color, label: t.series[name] }))}
          dayLabel={t.day}
        />
      }
      table={
        <DaysTable
          days={days.filter((day) => day.total > 0)}
          columns={COLUMNS.map((name) => ({
            name,
            label: name === 'total' ? t.total : t.series[name],
          }))}
        />
      }
    />
  );
}
