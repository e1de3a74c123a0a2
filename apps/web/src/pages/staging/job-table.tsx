import type { Job } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { useAccount } from '../../session/account.ts';
import { JobProblem } from './job-problem.tsx';
import { JobState } from './job-state.tsx';
import { tagSuffix } from './tag-suffix.ts';

export function JobTable({ jobs }: { jobs: Job[] }) {
  const t = useMessages('staging');
  const { is_admin } = useAccount();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.image}</th>
          <th scope="col">{t.result}</th>
          <th scope="col">{t.state}</th>
          {is_admin && <th scope="col">{t.owner}</th>}
          <th scope="col">{t.updated}</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <JobRow key={job.job_id} job={job} withOwner={is_admin} />
        ))}
      </tbody>
    </table>
  );
}

function JobRow({ job, withOwner }: { job: Job; withOwner: boolean }) {
  return (
    <tr>
      <td>
        <Link to={`/staging/${job.job_id}`} className={table.name}>
          <LongName>{job.image}</LongName>
          <span className={table.prefix}>{tagSuffix(job.tag)}</span>
        </Link>
        <span className={table.under}>{job.source.host}</span>
      </td>
      <td>
        <span className={`${table.badges} ${table.together}`}>
          {job.verdict !== 'pending' && <VerdictBadge verdict={job.verdict} />}
          {job.vuln_result && <SeverityCountsView counts={job.vuln_result.counts} />}
        </span>
      </td>
      <td>
        <JobState job={job} />
        <JobProblem job={job} />
      </td>
      {withOwner && <td className={`${table.quiet} ${table.nowrap}`}>{job.owner}</td>}
      <td className={`${table.quiet} ${table.nowrap}`}>
        <RelativeTime at={job.updated_at} />
      </td>
    </tr>
  );
}
