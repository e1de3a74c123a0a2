/** The actions for selected jobs: each begins after a delay for undo. */
import type { BulkAction, Job } from '@portcullis/contract';
import { isSettled } from '@portcullis/domain';
import { IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { useBulkNotice } from '../../kit/action/bulk-notice.tsx';
import { useDelayedAct } from '../../kit/action/delayed-act.ts';
import type { SelectableList } from '../../kit/list/list.ts';
import { SelectionBar } from '../../kit/table/selection-bar.tsx';
import { JOB_FILTER } from './job-filter.ts';
import type { JobList } from './job-list.ts';

interface JobBarProps {
  list: SelectableList<Job>;
  state: JobList['state'];
}

export default function JobBar({ list, state }: JobBarProps) {
  const t = useMessages('bulk');
  const act = useDelayedAct();
  const report = useBulkNotice();
  const { rows, selection } = list.table;
  const { ids, everything, clear } = selection;
  const chosen = rows.filter(({ job_id }) => selection.has(job_id));
  const total = list.total ?? rows.length;

  function start(action: BulkAction): void {
    const what = everything ? { filter: untilNow(state) } : { ids: [...ids] };
    act({
      name: 'staging.bulkJobs',
      request: { body: { action, ...what } },
      changes: 'staging.listJobs',
      hides: action === 'delete' ? ids : [],
      message: t.pending[action](everything ? total : ids.length),
      onAnswer: report,
    });
    clear();
  }

  const none = (applies: (job: Job) => boolean) => !everything && !chosen.some(applies);
  return (
    <SelectionBar
      selection={selection}
      total={total}
      buttons={[
        {
          label: t.cancel,
          icon: IconPlayerStop,
          disabled: none(({ status }) => !isSettled(status)),
          run: () => start('cancel'),
        },
        { label: t.retry, icon: IconRefresh, disabled: none(mayRetry), run: () => start('retry') },
        { label: t.remove, icon: IconTrash, danger: true, run: () => start('delete') },
      ]}
    />
  );
}

/** Not the jobs that are requested while the act waits. */
function untilNow(state: JobList['state']) {
  const now = new Date();
  const { blocked, until, sort, ...conditions } = JOB_FILTER.query(state, now.getTime());
  const latest = until === undefined || Date.parse(until) > now.getTime() ? now : new Date(until);
  return {
    ...conditions,
    ...(blocked !== undefined && { blocked: blocked === 'true' }),
    until: latest.toISOString(),
  };
}

/** A hint only: the server decides (stageToRetry in packages/domain). */
function mayRetry({ status }: Job): boolean {
  return status === 'staged' || status === 'failed' || status === 'cancelled';
}
