/** The actions for selected robots: each begins after a delay for undo. */
import type { Robot } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { changesById, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';

export function RobotBar({ list }: { list: SelectableList<Robot> }) {
  const { robots: t, ...labels } = useMessages('rowActs');
  const act = useRowActs();
  const changes = 'robots.list';
  return (
    <EntryBar
      list={list}
      enabling={{
        labels,
        danger: true,
        isEnabled: ({ disabled }) => !disabled,
        change(found, enabled) {
          const message = t[enabled ? 'enable' : 'disable'](found.length);
          act({
            name: 'robots.update',
            ...changesById(found, { disabled: !enabled }),
            changes,
            message,
          });
        },
      }}
      removal={{
        ...t,
        run(doomed) {
          const message = t.remove(doomed.length);
          act({ name: 'robots.remove', ...removalsById(doomed), changes, message });
        },
      }}
    />
  );
}
