/** The actions for selected schedules: each begins after a delay for undo. */
import type { ScheduleView } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { changesById, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';

export function ScheduleBar({ list }: { list: SelectableList<ScheduleView> }) {
  const { schedules: t } = useMessages('rowActs');
  const act = useRowActs();
  const changes = 'transfers.listSchedules';
  return (
    <EntryBar
      list={list}
      enabling={{
        labels: { disable: t.pauseLabel, enable: t.resumeLabel },
        isEnabled: ({ enabled }) => enabled,
        change(found, enabled) {
          const message = t[enabled ? 'resume' : 'pause'](found.length);
          const of = changesById(found, { enabled });
          act({ name: 'transfers.updateSchedule', ...of, changes, message });
        },
      }}
      removal={{
        ...t,
        run(doomed) {
          const message = t.remove(doomed.length);
          const of = removalsById(doomed);
          act({ name: 'transfers.removeSchedule', ...of, changes, message });
        },
      }}
    />
  );
}
