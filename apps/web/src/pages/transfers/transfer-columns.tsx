/** Defines the columns of transfers. */
import type { TransferView } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { useAccount } from '../../session/account.ts';
import { BypassedBy } from '../staging/bypassed-by.tsx';
import { groupCounts } from './job-groups.ts';
import { StatusBreakdown } from './status-breakdown.tsx';
import { useRegistryName } from './transfer-registries.ts';
import { TransferStatusBadge } from './transfer-status.tsx';
import classes from './transfers.module.css';
import { useTransferTitle } from './use-transfer-title.ts';

export function useTransferColumns(): Column<TransferView>[] {
  return useColumns(useAccount().is_admin);
}

const useColumns = defineColumns('transfers', (t, _, isAdmin: boolean): Column<TransferView>[] => {
  const owner: Column<TransferView> = {
    title: t.owner,
    sort: 'owner',
    label: t.owner,
    className: table.quiet,
    width: '12%',
    cell: (transfer) => transfer.owner,
  };
  return [
    { id: 'title', title: t.transfer, cell: (transfer) => <Title transfer={transfer} /> },
    {
      title: t.state,
      sort: 'status',
      width: '18%',
      cell: (transfer) => <State transfer={transfer} />,
    },
    {
      id: 'progress',
      title: t.progress,
      className: classes.progress,
      width: '24%',
      cell: (transfer) => <StatusBreakdown transfer={transfer} />,
    },
    ...(isAdmin ? [owner] : []),
    timeColumn('created_at', t.begun, { label: t.begun }),
  ];
});

function State({ transfer }: { transfer: TransferView }) {
  return (
    <>
      <TransferStatusBadge transfer={transfer} />
      {transfer.bypasses.map(({ by, reason }) => (
        <div key={`${by} ${reason}`} className={classes.why}>
          <BypassedBy by={by} reason={reason} />
        </div>
      ))}
    </>
  );
}

/** What it is called; below, where it comes from and goes to. */
function Title({ transfer }: { transfer: TransferView }) {
  const t = useMessages('transfers');
  const titleOf = useTransferTitle();
  const nameOf = useRegistryName();
  return (
    <>
      <RowName to={`/transfers/${transfer.transfer_id}`}>{titleOf(transfer)}</RowName>
      <div className={table.quiet}>
        {t.fromTo(nameOf(transfer.source), nameOf(transfer.destination))} ·{' '}
        {t.images(groupCounts(transfer).total)}
        {transfer.schedule_id !== null && ` · ${t.scheduled}`}
      </div>
    </>
  );
}
