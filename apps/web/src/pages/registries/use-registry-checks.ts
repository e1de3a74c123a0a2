/** Tests several registries, one after the other. Then the list shows the results. */
import type { Registry } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { bulkResultOf } from '../../kit/action/bulk-result.ts';
import { useNamedNotice } from '../../kit/action/named-notice.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { settledInTurn } from '../../kit/action/settled-in-turn.ts';
import { entryName } from '../../kit/selection/entry.ts';

export function useRegistryChecks(): (registries: readonly Registry[]) => void {
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
