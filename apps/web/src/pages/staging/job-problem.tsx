import type { Job } from '@portcullis/contract';
import { useJobFaultText } from '../../kit/fault/job-fault.tsx';
import table from '../../kit/table/table.module.css';

/** The verdict beside it says the same. */
const SAID_BY_VERDICT = 'VULN_BLOCKED';

/** The error of a job, below its status. */
export function JobProblem({ job }: { job: Job }) {
  const faultText = useJobFaultText();
  const error = job.error ?? job.pushes.at(-1)?.error ?? null;
  if (error === null || error.code === SAID_BY_VERDICT || job.status === 'pushed') return null;
  return <div className={table.reason}>{faultText(error)}</div>;
}
