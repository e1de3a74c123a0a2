/** The actions for selected trust rules: each begins after a delay for undo. */
import type { TrustRuleView } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { changesById, removalsById } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';

export function TrustBar({ list }: { list: SelectableList<TrustRuleView> }) {
  const { trusts: t, ...labels } = useMessages('rowActs');
  const { title } = useMessages('trusts');
  const act = useRowActs();
  const changes = 'trusts.list';
  return (
    <EntryBar
      list={list}
      title={title}
      enabling={{
        labels,
        danger: true,
        isEnabled: ({ enabled }) => enabled,
        change(found, enabled) {
          const message = t[enabled ? 'enable' : 'disable'](found.length);
          act({ name: 'trusts.update', ...changesById(found, { enabled }), changes, message });
        },
      }}
      removal={{
        ...t,
        run(doomed) {
          const message = t.remove(doomed.length);
          act({ name: 'trusts.remove', ...removalsById(doomed), changes, message });
        },
      }}
    />
  );
}
