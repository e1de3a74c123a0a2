/** The actions for selected transfers: each begins after a delay for undo. */
import type { TransferView } from '@portcullis/contract';
import { IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { useRowActs } from '../../kit/action/row-acts.ts';
import type { SelectedRows } from '../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../kit/table/selection-bar.tsx';
import { useChosenRows } from '../../kit/table/use-chosen-rows.ts';
import { allTransfers } from './all-transfers.ts';
import type { TransferListFilter } from './transfer-filter.ts';
import { transferKey } from './transfer-table.tsx';

interface TransferBarProps {
  /** The loaded ones. */
  transfers: readonly TransferView[];
  /** The filter of the list. */
  filter: TransferListFilter;
  selection: SelectedRows;
  /** How many match. */
  total: number;
}

const CHANGES = 'transfers.listTransfers';

export function TransferBar({ transfers, filter, selection, total }: TransferBarProps) {
  const t = useMessages('bulk');
  const { transfers: pending } = useMessages('rowActs');
  const act = useRowActs();
  const { chosen, isPending, start } = useChosenRows({
    table: { rows: transfers, keyOf: transferKey, selection },
    all: () => allTransfers(filter),
  });

  function cancel(found: readonly TransferView[]): void {
    const running = found.filter(isRunning);
    act({
      name: 'transfers.cancelTransfer',
      requests: running.map(({ transfer_id: id }) => ({ params: { id } })),
      changes: CHANGES,
      message: pending.cancel(running.length),
    });
  }

  function remove(found: readonly TransferView[]): void {
    const ids = found.map(transferKey);
    act({
      name: 'transfers.removeTransfer',
      requests: ids.map((id) => ({ params: { id } })),
      changes: CHANGES,
      hides: ids,
      message: pending.remove(ids.length),
    });
  }

  return (
    <SelectionBar
      selection={selection}
      total={total}
      buttons={[
        {
          label: t.cancel,
          icon: IconPlayerStop,
          disabled: isPending || !(selection.everything || chosen.some(isRunning)),
          run: () => start(cancel),
        },
        {
          label: t.remove,
          icon: IconTrash,
          danger: true,
          disabled: isPending,
          run: () => start(remove),
        },
      ]}
    />
  );
}

const isRunning = ({ status }: TransferView): boolean => status === 'running';
