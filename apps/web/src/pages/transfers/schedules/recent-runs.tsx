/** The last runs of a schedule as marks in a row, the newest one last. */
import { Tooltip } from '@mantine/core';
import type { ScheduleView } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { STATUS_LOOKS, shownRunStatus } from '../transfer-status.tsx';
import classes from './recent-runs.module.css';

type Run = ScheduleView['recent_runs'][number];

export function RecentRuns({ runs }: { runs: readonly Run[] }) {
  const t = useMessages('schedule');
  if (runs.length === 0) return null;
  return (
    <ol className={`${classes.runs} ${table.above}`} aria-label={t.recentRuns}>
      {runs.toReversed().map((run) => (
        <li key={run.transfer_id}>
          <RunMark run={run} />
        </li>
      ))}
    </ol>
  );
}

/** Its form differs, too: a run that is not done is no full circle. */
function RunMark({ run }: { run: Run }) {
  const [t, format] = useWords('transfers');
  const status = shownRunStatus(run);
  const [tone] = STATUS_LOOKS[status];
  const words = `${t.status[status]}, ${format.dateTime(run.at)}`;
  return (
    <Tooltip label={words}>
      <Link
        to={`/transfers/${run.transfer_id}`}
        className={classes.run}
        data-tone={tone}
        data-status={status}
        aria-label={words}
      />
    </Tooltip>
  );
}
