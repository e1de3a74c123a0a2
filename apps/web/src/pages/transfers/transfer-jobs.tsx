import type { Job } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { type RowAttributes, VirtualRows } from '../../kit/virtual/virtual-rows.tsx';
import { PassedWaivers } from '../../kit/waiver/passed-waivers.tsx';
import { JobProblem } from '../staging/job-problem.tsx';
import { JobState } from '../staging/job-state.tsx';
import { tagSuffix } from '../staging/tag-suffix.ts';
import classes from './transfers.module.css';

const ROW_HEIGHT = 59;

export function TransferJobs({ jobs }: { jobs: Job[] }) {
  const t = useMessages('transfers');
  if (jobs.length === 0) return null;
  return (
    <table className={`${table.table} ${table.steady}`} aria-rowcount={jobs.length + 1}>
      <thead>
        <tr>
          <th scope="col">{t.image}</th>
          <th scope="col" className={classes.verdictColumn}>
            {t.verdict}
          </th>
          <th scope="col" className={classes.stateColumn}>
            {t.state}
          </th>
        </tr>
      </thead>
      <VirtualRows rows={jobs} keyOf={({ job_id }) => job_id} columns={3} height={ROW_HEIGHT}>
        {(job, { key, ...place }) => <Row key={key} job={job} place={place} />}
      </VirtualRows>
    </table>
  );
}

function Row({ job, place }: { job: Job; place: RowAttributes }) {
  const push = job.pushes.at(-1);
  return (
    <tr {...place}>
      <td>
        <Link to={`/staging/${job.job_id}`} className={table.name}>
          {job.image}
          <span className={table.prefix}>{tagSuffix(job.tag)}</span>
        </Link>
        {push && (
          <span className={table.under}>{shownPlace(push.destination, push.registry_id)}</span>
        )}
      </td>
      <td>{job.verdict !== 'pending' && <VerdictBadge verdict={job.verdict} />}</td>
      <td>
        <JobState job={job} />
        <JobProblem job={job} />
        <LetThrough job={job} />
      </td>
    </tr>
  );
}

/** That the image passed the gate only by the privilege of an account, or by waivers. */
function LetThrough({ job }: { job: Job }) {
  const t = useMessages('staging');
  const push = job.pushes.at(-1);
  if (!push || (push.bypassed === null && push.waivers.length === 0)) return null;
  return (
    <div className={`${table.reason} ${table.above}`}>
      {push.bypassed === null ? (
        <PassedWaivers waivers={push.waivers} />
      ) : (
        t.letThrough(push.requested_by)
      )}
    </div>
  );
}
