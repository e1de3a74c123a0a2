/** The jobs of a transfer: the urgent ones first, unless another order is in the address. */
import type { Job } from '@portcullis/contract';
import { VERDICTS_BY_URGENCY } from '@portcullis/domain';
import { type Column, defineColumns, RowName } from '../../kit/table/columns.tsx';
import { SortedTable } from '../../kit/table/sorted-table.tsx';
import table from '../../kit/table/table.module.css';
import { PassedWaivers } from '../../kit/waiver/passed-waivers.tsx';
import { usePlaceName } from '../registries/use-place-name.ts';
import { BypassedBy } from '../staging/bypassed-by.tsx';
import { JobProblem } from '../staging/job-problem.tsx';
import { JobState } from '../staging/job-state.tsx';
import { JobVerdict } from '../staging/job-verdict.tsx';
import { passedPush } from '../staging/passed-push.ts';
import { tagSuffix } from '../staging/tag-suffix.ts';
import { BlockedCause } from './blocked-cause.tsx';
import { urgencyOf } from './job-groups.ts';
import classes from './transfers.module.css';

/** The parameter of the address. */
export const JOB_ORDER = 'sort';
const ROW_HEIGHT = 59;

export function TransferJobs({ jobs }: { jobs: readonly Job[] }) {
  const columns = useColumns();
  if (jobs.length === 0) return null;
  return (
    <SortedTable
      rows={jobs}
      first="status"
      parameter={JOB_ORDER}
      columns={columns}
      keyOf={jobKey}
      className={table.steady}
      rowHeight={ROW_HEIGHT}
    />
  );
}

const jobKey = ({ job_id }: Job): string => job_id;

function jobName({ image, tag }: Job): string {
  return image + tagSuffix(tag);
}

const useColumns = defineColumns('transfers', (t): Column<Job>[] => [
  { title: t.image, sort: 'image', by: jobName, cell: (job) => <Image job={job} /> },
  {
    title: t.verdict,
    sort: 'verdict',
    // Which shows nothing while it is pending.
    by: ({ verdict }) => (verdict === 'pending' ? null : VERDICTS_BY_URGENCY.indexOf(verdict)),
    className: classes.verdictColumn,
    width: '260px',
    cell: (job) => <JobVerdict job={job} />,
  },
  {
    title: t.state,
    sort: 'status',
    by: urgencyOf,
    className: classes.stateColumn,
    width: '38%',
    cell: (job) => (
      <>
        <JobState job={job} />
        {job.blocked ? <BlockedCause job={job} /> : <JobProblem job={job} />}
        <Bypassed job={job} />
      </>
    ),
  },
]);

function Image({ job }: { job: Job }) {
  const push = job.pushes.at(-1);
  const nameOf = usePlaceName();
  return (
    <>
      <RowName to={`/staging/${job.job_id}`}>
        {job.image}
        <span className={table.prefix}>{tagSuffix(job.tag)}</span>
      </RowName>
      {push && <span className={table.under}>{nameOf(push.destination, push.registry_id)}</span>}
    </>
  );
}

/** That the image passed the gate only by the privilege of an account, or by which waivers. */
function Bypassed({ job }: { job: Job }) {
  const push = passedPush(job);
  if (!push) return null;
  if (push.bypassed !== null)
    return <BypassedBy by={push.requested_by} reason={push.bypass_reason} />;
  return (
    <div className={`${table.reason} ${table.above}`}>
      <PassedWaivers waivers={push.waivers} />
    </div>
  );
}
