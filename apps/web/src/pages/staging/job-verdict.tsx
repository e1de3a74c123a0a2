/** How the image of a job stands for its destination, in a row of a list. */
import type { Job } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { AnswerBadge } from '../../kit/verdict/answer-badge.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { placeName, usePlaceName } from '../registries/use-place-name.ts';

export function JobVerdict({ job }: { job: Job }) {
  const t = useMessages('verdict');
  const nameOf = usePlaceName();
  const { standing, vuln_result: result } = job;
  // What blocks adds up to the number of the badge.
  const isBlocked = standing?.state === 'blocked' && standing.blocking_total > 0;
  const counts = isBlocked ? standing.blocking_counts : result?.counts;
  const place = standing ? placeName(standing.destination, nameOf) : null;
  return (
    <>
      <span className={`${table.badges} ${table.together}`}>
        {standing && <AnswerBadge answer={standing} />}
        {!standing && job.verdict !== 'pending' && <VerdictBadge verdict={job.verdict} />}
        {counts && <SeverityCountsView counts={counts} />}
      </span>
      {place !== null && <span className={table.under}>{t.answer.for(place)}</span>}
    </>
  );
}
