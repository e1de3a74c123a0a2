/** The actions for selected transfers: each begins after a delay for undo. */
import type { TransferView } from '@portcullis/contract';
import { IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { useRowActs } from '../../kit/action/row-acts.ts';
import type { SelectedRows } from '../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../kit/table/selection-bar.tsx';

interface TransferBarProps {
  transfers: readonly TransferView[];
  selection: SelectedRows;
}

export function TransferBar({ transfers, selection }: TransferBarProps) {
  const t = useMessages('bulk');
  const act = useRowActs();
  const chosen = transfers.filter(({ transfer_id }) => selection.has(transfer_id));
  const running = chosen.filter(({ status }) => status === 'running');
  const changes = 'transfers.listTransfers';

  function cancel(): void {
    act({
      name: 'transfers.cancelTransfer',
      requests: running.map(({ transfer_id: id }) => ({ params: { id } })),
      changes,
      message: t.transfersPending.cancel(running.length),
    });
    selection.clear();
  }

  function remove(): void {
    act({
      name: 'transfers.removeTransfer',
      requests: chosen.map(({ transfer_id: id }) => ({ params: { id } })),
      changes,
      hides: [...selection.ids],
      message: t.transfersPending.remove(chosen.length),
    });
    selection.clear();
  }

  return (
    <SelectionBar
      selection={selection}
      total={null}
      buttons={[
        { label: t.cancel, icon: IconPlayerStop, disabled: running.length === 0, run: cancel },
        { label: t.remove, icon: IconTrash, danger: true, run: remove },
      ]}
    />
  );
}
