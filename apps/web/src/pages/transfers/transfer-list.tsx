/** Lists transfers, and follows those that run. */
import { Button } from '@mantine/core';
import type { TransferView } from '@portcullis/contract';
import { IconArrowsTransferUp, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { useRowActs } from '../../kit/action/row-acts.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { FilterBar, StateFilter } from '../../kit/list/filter-bar.tsx';
import type { SelectableList } from '../../kit/list/list.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { WorkFilters } from '../../kit/list/work-filters.tsx';
import { EntryBar } from '../../kit/selection/entry-bar.tsx';
import { useLiveTransfers } from '../../live/live-transfers.ts';
import { NoRights, useHasRights } from '../../session/no-rights.tsx';
import { useTransferColumns } from './transfer-columns.tsx';
import { STATES, TRANSFER_FILTER } from './transfer-filter.ts';
import { useTransferTitle } from './use-transfer-title.ts';

const LIVELY_MS = 2500;
const QUIET_MS = 15_000;
/** While events arrive, a fallback for missed ones. */
const LIVE_MS = 60_000;

const TRANSFERS = defineList({
  operation: 'transfers.listTransfers',
  filter: TRANSFER_FILTER,
  keyOf: ({ transfer_id }) => transfer_id,
  refresh: (rows) => (rows.some(({ status }) => status === 'running') ? LIVELY_MS : QUIET_MS),
});

export function TransferList() {
  const t = useMessages('transfers');
  const isLive = useLiveTransfers() === 'live';
  const list = useList(TRANSFERS, {
    nameOf: useTransferTitle(),
    ...(isLive && { refresh: LIVE_MS }),
  });
  const { state, change } = list;
  return (
    <>
      <FilterBar
        list={list}
        search={t.search}
        saved="transfers"
        states={
          <StateFilter
            label={t.state}
            values={STATES}
            names={t.states}
            value={state.state}
            onChange={(chosen) => change({ state: chosen })}
          />
        }
      >
        <WorkFilters state={state} onChange={change} />
      </FilterBar>
      <ListView
        list={list}
        columns={useTransferColumns()}
        words={t}
        count={t.transferCount}
        empty={<NoTransfers />}
      >
        {(selectable) => <TransferBar list={selectable} />}
      </ListView>
    </>
  );
}

function NoTransfers() {
  const t = useMessages('transfers');
  if (!useHasRights()) return <NoRights />;
  return (
    <EmptyState icon={IconArrowsTransferUp} title={t.emptyTitle} text={t.emptyText}>
      <Button component={Link} to="/transfers/new" variant="default">
        {t.create}
      </Button>
    </EmptyState>
  );
}

/** The actions for selected transfers: each begins after a delay for undo. */
function TransferBar({ list }: { list: SelectableList<TransferView> }) {
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
