/** Why the gate stopped a job, with the way to the question about it. */
import { Anchor } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { useJobFaultText } from '../../kit/fault/job-fault.tsx';
import table from '../../kit/table/table.module.css';
import { useSeverityList } from '../../kit/verdict/severity-list.ts';
import { useAccount } from '../../session/account.ts';
import { reviewPath } from '../job/review/review-path.ts';
import { isReviewer } from '../waivers/reviewer.ts';

export function BlockedCause({ job }: { job: Job }) {
  const t = useMessages('review');
  const cause = useCause(job);
  const reviews = isReviewer(useAccount());
  if (!job.blocked) return null;
  return (
    <div className={table.reason}>
      {cause && <div>{cause}</div>}
      <Anchor
        component={Link}
        to={reviewPath(job.job_id)}
        className={table.above ?? ''}
        underline="always"
        inherit
      >
        {reviews ? t.allow : t.request}
      </Anchor>
    </div>
  );
}

/** By which terms the policy of the destination stops it, or which vulnerabilities block it. */
function useCause({ verdict, vuln_result: result, error, pushes }: Job): string {
  const t = useMessages('transfers');
  const severityList = useSeverityList();
  const faultText = useJobFaultText();
  const fault = error ?? pushes.at(-1)?.error ?? null;
  if (verdict === 'blocked' && result)
    return t.blockedBy(severityList(result.blocking ?? result.counts, result.severities));
  return fault ? faultText(fault) : '';
}
