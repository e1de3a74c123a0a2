/** The deletion of selected groups. */
import type { Group } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import { entryList, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';

interface GroupBarProps {
  groups: readonly Group[];
  selection: SelectedRows;
}

export function GroupBar({ groups, selection }: GroupBarProps) {
  const { groups: t } = useMessages('rowActs');
  const act = useRowActs();
  return (
    <EntryBar
      list={entryList(groups, selection)}
      removal={{
        ...t,
        run: (doomed) =>
          act({
            name: 'groups.removeGroup',
            ...removalsById(doomed),
            changes: 'groups.listGroups',
            message: t.remove(doomed.length),
          }),
      }}
    />
  );
}
