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

const MOST_NAMED = 3;

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

/** `CVE-2026-1, CVE-2026-2 +27` */
function firstOf({ blocking, blocking_total }: NonNullable<Job['standing']>): string {
  const shown = blocking.slice(0, MOST_NAMED);
  const more = blocking_total - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` +${more}` : ''}`;
}

/** By which terms the policy of the destination stops it, or which vulnerabilities block it. */
function useCause({ verdict, vuln_result: result, standing, error, pushes }: Job): string {
  const t = useMessages('transfers');
  const severityList = useSeverityList();
  const faultText = useJobFaultText();
  const fault = error ?? pushes.at(-1)?.error ?? null;
  if (verdict === 'blocked' && result)
    return t.blockedBy(
      standing && standing.blocking.length > 0
        ? firstOf(standing)
        : severityList(result.blocking ?? result.counts, result.severities),
    );
  return fault ? faultText(fault) : '';
}
