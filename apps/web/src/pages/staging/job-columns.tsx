/** Defines the columns of jobs. */
import type { Job } from '@portcullis/contract';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { useAccount } from '../../session/account.ts';
import { Bypassed } from './bypassed-by.tsx';
import { JobProblem } from './job-problem.tsx';
import { JobState } from './job-state.tsx';
import { tagSuffix } from './tag-suffix.ts';

export function useJobColumns(): Column<Job>[] {
  return useColumns(useAccount().is_admin);
}

const useColumns = defineColumns('staging', (t, _, isAdmin: boolean): Column<Job>[] => {
  const quiet = `${table.quiet} ${table.nowrap}`;
  const owner: Column<Job> = {
    title: t.owner,
    sort: 'owner',
    className: quiet,
    width: '12%',
    cell: (job) => job.owner,
  };
  return [
    { title: t.image, sort: 'image', cell: (job) => <JobImage job={job} /> },
    {
      title: t.result,
      sort: 'verdict',
      width: '28%',
      cell: (job) => <JobVerdict job={job} />,
    },
    { title: t.state, sort: 'status', width: '24%', cell: stateOf },
    ...(isAdmin ? [owner] : []),
    timeColumn('created_at', t.created),
  ];
});

function stateOf(job: Job) {
  return (
    <>
      <JobState job={job} />
      <JobProblem job={job} />
      <Bypassed job={job} />
    </>
  );
}

function JobImage({ job }: { job: Job }) {
  return (
    <RowName
      to={`/staging/${job.job_id}`}
      under={shownPlace(job.source.host, job.source.registry_id)}
    >
      <LongName>{job.image}</LongName>
      <span className={table.prefix}>{tagSuffix(job.tag)}</span>
    </RowName>
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
