/** The actions for selected registries: a test, and their deletion after a delay for undo. */
import type { Registry } from '@portcullis/contract';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNamedNotice } from '../../kit/action/bulk-notice.tsx';
import { bulkResultOf, settledInTurn } from '../../kit/action/bulk-result.ts';
import { useNotices } from '../../kit/action/notices.ts';
import type { SelectableList } from '../../kit/list/list.ts';
import { EntriesBar } from '../../kit/selection/entries-bar.tsx';
import { entryName } from '../../kit/selection/entry.ts';
import { useChangeRefusal } from './change-refusal.ts';

export function RegistryBar({ list }: { list: SelectableList<Registry> }) {
  const { testShort } = useMessages('registries');
  const { registries: t } = useMessages('rowActs');
  const check = useRegistryChecks();
  const refusalOf = useChangeRefusal();

  return (
    <EntriesBar
      list={list}
      acts={[{ label: testShort, icon: IconPlugConnected, run: check }]}
      words={t}
      changes="registries.listRegistries"
      remove="registries.removeRegistry"
      allows={(each) => refusalOf(each) === null}
    />
  );
}

/** Tests several registries, one after the other. Then the list shows the results. */
function useRegistryChecks(): (registries: readonly Registry[]) => void {
  const { registries: t } = useMessages('rowActs');
  const queries = useQueryClient();
  const notices = useNotices();
  const report = useNamedNotice();

  const { mutate } = useMutation({
    mutationFn: (registries: readonly Registry[]) =>
      settledInTurn(registries, ({ id }) => call('registries.checkRegistry', { params: { id } })),
    onMutate: ({ length }) => notices.done(t.test(length)),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('registries.listRegistries') }),
    onSuccess: (results, registries) => report(bulkResultOf(results, registries.map(entryName))),
  });
  return mutate;
}
