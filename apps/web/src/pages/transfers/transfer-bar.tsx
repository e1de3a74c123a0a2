/** The actions for selected transfers: each begins after a delay for undo. */
import type { TransferView } from '@portcullis/contract';
import { IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { useRowActs } from '../../kit/action/row-acts.ts';
import type { SelectableList } from '../../kit/list/list.ts';
import { EntryBar } from '../../kit/selection/entry-bar.tsx';

export function TransferBar({ list }: { list: SelectableList<TransferView> }) {
  const t = useMessages('bulk');
  const { transfers: pending } = useMessages('rowActs');
  const act = useRowActs();
  const changes = 'transfers.listTransfers';
  const requestsOf = (found: readonly TransferView[]) =>
    found.map(({ transfer_id: id }) => ({ params: { id } }));

  function cancel(found: readonly TransferView[]): void {
    const message = pending.cancel(found.length);
    act({ name: 'transfers.cancelTransfer', requests: requestsOf(found), changes, message });
  }

  function remove(found: readonly TransferView[]): void {
    act({
      name: 'transfers.removeTransfer',
      requests: requestsOf(found),
      changes,
      hides: found.map(list.table.keyOf),
      message: pending.remove(found.length),
    });
  }

  return (
    <EntryBar
      list={list}
      acts={[
        {
          label: t.cancel,
          icon: IconPlayerStop,
          appliesTo: ({ status }) => status === 'running',
          run: cancel,
        },
        { label: t.remove, icon: IconTrash, danger: true, run: remove },
      ]}
    />
  );
}
