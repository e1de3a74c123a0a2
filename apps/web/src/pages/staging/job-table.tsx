import type { Job } from '@portcullis/contract';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { type Messages, useMessages } from '../../i18n/messages.ts';
import type { Column, Sorting } from '../../kit/table/columns.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { SelectedRows } from '../../kit/table/selected-rows.ts';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { useAccount } from '../../session/account.ts';
import { JobProblem } from './job-problem.tsx';
import { JobState } from './job-state.tsx';
import { LetThrough } from './let-through.tsx';
import { tagSuffix } from './tag-suffix.ts';

interface JobTableProps {
  jobs: Job[];
  sorting: Sorting;
  selection: SelectedRows;
}

export function JobTable({ jobs, sorting, selection }: JobTableProps) {
  return (
    <DataTable
      rows={jobs}
      columns={useColumns()}
      keyOf={jobKey}
      nameOf={jobName}
      sorting={sorting}
      selection={selection}
    />
  );
}

export const jobKey = ({ job_id }: Job): string => job_id;
const jobName = ({ image, tag }: Job): string => image + tagSuffix(tag);

function useColumns(): Column<Job>[] {
  const t = useMessages('staging');
  const { is_admin } = useAccount();
  return useMemo(() => columnsOf(t, is_admin), [t, is_admin]);
}

function columnsOf(t: Messages['staging'], is_admin: boolean): Column<Job>[] {
  const quiet = `${table.quiet} ${table.nowrap}`;
  const owner: Column<Job> = {
    id: 'owner',
    title: t.owner,
    sort: 'owner',
    className: quiet,
    width: '12%',
    cell: (job) => job.owner,
  };
  return [
    { id: 'image', title: t.image, sort: 'image', cell: (job) => <JobImage job={job} /> },
    {
      id: 'verdict',
      title: t.result,
      sort: 'verdict',
      width: '28%',
      cell: (job) => <JobVerdict job={job} />,
    },
    { id: 'status', title: t.state, sort: 'status', width: '24%', cell: stateOf },
    ...(is_admin ? [owner] : []),
    {
      id: 'created',
      title: t.created,
      sort: 'created_at',
      descendsFirst: true,
      className: quiet,
      width: '130px',
      cell: (job) => <RelativeTime at={job.created_at} />,
    },
  ];
}

function stateOf(job: Job) {
  return (
    <>
      <JobState job={job} />
      <JobProblem job={job} />
      <LetThrough job={job} />
    </>
  );
}

function JobImage({ job }: { job: Job }) {
  return (
    <>
      <Link to={`/staging/${job.job_id}`} className={table.name}>
        <LongName>{job.image}</LongName>
        <span className={table.prefix}>{tagSuffix(job.tag)}</span>
      </Link>
      <span className={table.under}>{shownPlace(job.source.host, job.source.registry_id)}</span>
    </>
  );
}

function JobVerdict({ job }: { job: Job }) {
  return (
    <span className={`${table.badges} ${table.together}`}>
      {job.verdict !== 'pending' && <VerdictBadge verdict={job.verdict} />}
      {job.vuln_result && <SeverityCountsView counts={job.vuln_result.counts} />}
    </span>
  );
}
