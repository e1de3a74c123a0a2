/** The actions for selected registries: a test, and their deletion after a delay for undo. */
import type { Registry } from '@portcullis/contract';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { useRowActs } from '../../kit/action/row-acts.ts';
import type { SelectableList } from '../../kit/list/list.ts';
import { removalsById } from '../../kit/selection/entry.ts';
import { EntryBar } from '../../kit/selection/entry-bar.tsx';
import { useChangeRefusal } from './change-refusal.ts';
import { useRegistryChecks } from './use-registry-checks.ts';

export function RegistryBar({ list }: { list: SelectableList<Registry> }) {
  const { testShort } = useMessages('registries');
  const { registries: t } = useMessages('rowActs');
  const act = useRowActs();
  const check = useRegistryChecks();
  const refusalOf = useChangeRefusal();

  function remove(doomed: readonly Registry[]): void {
    act({
      name: 'registries.removeRegistry',
      ...removalsById(doomed),
      changes: 'registries.listRegistries',
      message: t.remove(doomed.length),
    });
  }

  return (
    <EntryBar
      list={list}
      acts={[{ label: testShort, icon: IconPlugConnected, run: check }]}
      removal={{
        ...t,
        allows: (each) => refusalOf(each) === null,
        run: remove,
      }}
    />
  );
}
