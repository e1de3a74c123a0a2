/** Lists transfers, and follows those that run. */
import { Button } from '@mantine/core';
import { IconArrowsTransferUp } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { StateFilter } from '../../kit/list/state-filter.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { WorkFilters } from '../../kit/list/work-filters.tsx';
import { useLiveTransfers } from '../../live/live-transfers.ts';
import { NoRights } from '../../session/no-rights.tsx';
import { useHasRights } from '../../session/use-has-rights.ts';
import { TransferBar } from './transfer-bar.tsx';
import { useRoute, useTransferColumns } from './transfer-columns.tsx';
import { STATES, TRANSFER_FILTER } from './transfer-filter.ts';

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
  const list = useList(TRANSFERS, { nameOf: useRoute(), ...(isLive && { refresh: LIVE_MS }) });
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
