/** The deletion of selected groups. */
import type { Group } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';

export function GroupBar({ list }: { list: SelectableList<Group> }) {
  const { groups: t } = useMessages('rowActs');
  const act = useRowActs();
  function remove(doomed: readonly Group[]): void {
    const message = t.remove(doomed.length);
    const of = removalsById(doomed);
    act({ name: 'groups.removeGroup', ...of, changes: 'groups.listGroups', message });
  }
  return <EntryBar list={list} removal={{ ...t, run: remove }} />;
}
