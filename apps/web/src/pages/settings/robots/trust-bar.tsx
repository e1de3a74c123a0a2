/** The actions for selected trust rules: each begins after a delay for undo. */
import type { TrustRuleView } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import { changesById, entryList, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';

interface TrustBarProps {
  rules: readonly TrustRuleView[];
  selection: SelectedRows;
}

const CHANGES = 'trusts.list';

export function TrustBar({ rules, selection }: TrustBarProps) {
  const { trusts: t, ...labels } = useMessages('rowActs');
  const { title } = useMessages('trusts');
  const act = useRowActs();

  function change(found: readonly TrustRuleView[], enabled: boolean): void {
    act({
      name: 'trusts.update',
      ...changesById(found, { enabled }),
      changes: CHANGES,
      message: t[enabled ? 'enable' : 'disable'](found.length),
    });
  }

  function remove(doomed: readonly TrustRuleView[]): void {
    act({
      name: 'trusts.remove',
      ...removalsById(doomed),
      changes: CHANGES,
      message: t.remove(doomed.length),
    });
  }

  return (
    <EntryBar
      title={title}
      list={entryList(rules, selection)}
      enabling={{ labels, danger: true, isEnabled: ({ enabled }) => enabled, change }}
      removal={{ ...t, run: remove }}
    />
  );
}
