/** The actions for selected schedules: each begins after a delay for undo. */
import type { ScheduleView } from '@portcullis/contract';
import { page } from '../../../api/api.ts';
import { everyPage } from '../../../api/every-page.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import { changesById, entryList, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';

interface ScheduleBarProps {
  /** The loaded ones. */
  schedules: readonly ScheduleView[];
  selection: SelectedRows;
  /** How many there are. */
  total: number;
}

const CHANGES = 'transfers.listSchedules';

export function ScheduleBar({ schedules, selection, total }: ScheduleBarProps) {
  const { schedules: t } = useMessages('rowActs');
  const act = useRowActs();

  function change(found: readonly ScheduleView[], enabled: boolean): void {
    act({
      name: 'transfers.updateSchedule',
      ...changesById(found, { enabled }),
      changes: CHANGES,
      message: t[enabled ? 'resume' : 'pause'](found.length),
    });
  }

  function remove(doomed: readonly ScheduleView[]): void {
    act({
      name: 'transfers.removeSchedule',
      ...removalsById(doomed),
      changes: CHANGES,
      message: t.remove(doomed.length),
    });
  }

  return (
    <EntryBar
      list={entryList(schedules, selection, { total, all: allSchedules })}
      enabling={{
        labels: { disable: t.pauseLabel, enable: t.resumeLabel },
        isEnabled: ({ enabled }) => enabled,
        change,
      }}
      removal={{ ...t, run: remove }}
    />
  );
}

function allSchedules(): Promise<ScheduleView[]> {
  return everyPage((query) => page('transfers.listSchedules', { query }));
}
