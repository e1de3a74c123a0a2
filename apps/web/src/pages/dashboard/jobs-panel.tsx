import { Button, Skeleton, Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import listing from '../../components/listing.module.css';
import { Panel } from '../../components/panel.tsx';
import { useFormat } from '../../i18n/format.ts';
import { ChartPanel } from './chart-panel.tsx';
import classes from './dashboard.module.css';
import { useDashboardWords } from './dashboard-words.ts';
import { type JobDay, jobDays, jobTotals } from './job-days.ts';

const JobsChart = lazy(() => import('./jobs-chart.tsx'));

export function JobsPanel({ jobs }: Pick<DashboardStats, 'jobs'>) {
  const t = useDashboardWords();
  const days = jobDays(jobs.per_day);
  const { total, pushed, blocked, failed } = jobTotals(days);
  if (total === 0)
    return (
      <Panel title={t.jobs}>
        <Text c="dimmed" mb="sm">
          {t.noJobs}
        </Text>
        <Button component={Link} to="/staging/new" variant="default">
          {t.pull}
        </Button>
      </Panel>
    );
  return (
    <ChartPanel
      title={t.jobs}
      sentence={t.jobsSentence(total, pushed, blocked, failed)}
      chart={
        <Suspense fallback={<Skeleton height={220} />}>
          <JobsChart days={days} names={t.series} />
        </Suspense>
      }
      table={<JobsTable days={days.filter((day) => day.total > 0)} />}
    />
  );
}

const COLUMNS = ['total', 'pushed', 'blocked', 'failed'] as const;

function JobsTable({ days }: { days: JobDay[] }) {
  const t = useDashboardWords();
  const format = useFormat();
  const names = { ...t.series, total: t.total };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must get in
    <div className={classes.tableFrame} tabIndex={0}>
      <table className={listing.list}>
        <thead>
          <tr>
            <th scope="col">{t.day}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={listing.number}>
                {names[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((day) => (
            <tr key={day.day}>
              <td>{format.date(day.day)}</td>
              {COLUMNS.map((column) => (
                <td key={column} className={listing.number} data-label={names[column]}>
                  {format.number(day[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
