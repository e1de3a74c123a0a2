/** The actions for selected robots: each begins after a delay for undo. */
import type { Robot } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import { changesById, entryList, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';

interface RobotBarProps {
  robots: readonly Robot[];
  selection: SelectedRows;
}

const CHANGES = 'robots.list';

export function RobotBar({ robots, selection }: RobotBarProps) {
  const { robots: t, ...labels } = useMessages('rowActs');
  const act = useRowActs();

  function change(found: readonly Robot[], enabled: boolean): void {
    act({
      name: 'robots.update',
      ...changesById(found, { disabled: !enabled }),
      changes: CHANGES,
      message: t[enabled ? 'enable' : 'disable'](found.length),
    });
  }

  function remove(doomed: readonly Robot[]): void {
    act({
      name: 'robots.remove',
      ...removalsById(doomed),
      changes: CHANGES,
      message: t.remove(doomed.length),
    });
  }

  return (
    <EntryBar
      list={entryList(robots, selection)}
      enabling={{ labels, danger: true, isEnabled: ({ disabled }) => !disabled, change }}
      removal={{ ...t, run: remove }}
    />
  );
}
