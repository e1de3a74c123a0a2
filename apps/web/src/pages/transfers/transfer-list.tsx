import { Button, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowsTransferUp, IconFilterOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { keyOf, page } from '../../api/api.ts';
import { useListPages } from '../../api/list-pages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useHiddenRows } from '../../kit/action/pending-acts.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { ListSkeleton } from '../../kit/table/list-skeleton.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { useRowSelection } from '../../kit/table/use-row-selection.ts';
import { useLiveTransfers } from '../../live/live-transfers.ts';
import { NoRights } from '../../session/no-rights.tsx';
import { useHasRights } from '../../session/use-has-rights.ts';
import { TransferBar } from './transfer-bar.tsx';
import {
  isFiltered,
  NO_FILTER,
  queryOf,
  sortOf,
  type TransferListFilter,
  useTransferFilter,
} from './transfer-filter.ts';
import { TransferFilters } from './transfer-filters.tsx';
import { TransferTable, transferKey } from './transfer-table.tsx';

const LIVELY_MS = 2500;
const QUIET_MS = 15_000;
/** While events arrive, a fallback for missed ones. */
const LIVE_MS = 60_000;

function useTransfers(filter: TransferListFilter) {
  const feed = useLiveTransfers();
  const [q] = useDebouncedValue(filter.q.trim(), 250);
  const query = queryOf({ ...filter, q }, Date.now());
  return useListPages({
    queryKey: keyOf('transfers.listTransfers', { query }),
    queryFn: ({ pageParam }) =>
      page('transfers.listTransfers', { query: { ...query, cursor: pageParam } }),
    refetchInterval: ({ state }) => {
      if (feed === 'live') return LIVE_MS;
      const shown = state.data?.pages.flatMap(({ items }) => items) ?? [];
      return shown.some(({ status }) => status === 'running') ? LIVELY_MS : QUIET_MS;
    },
  });
}

export function TransferList() {
  const [filter, setFilter] = useTransferFilter();
  return (
    <>
      <TransferFilters filter={filter} onChange={setFilter} />
      <Transfers filter={filter} onChange={setFilter} />
    </>
  );
}

interface TransfersProps {
  filter: TransferListFilter;
  onChange(change: Partial<TransferListFilter>): void;
}

function Transfers({ filter, onChange }: TransfersProps) {
  const t = useMessages('transfers');
  const transfers = useTransfers(filter);
  const hidden = useHiddenRows();
  const { data } = transfers;
  const shown = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap(({ items }) => items)
        .filter((transfer) => !hidden.has(transferKey(transfer))),
    [data, hidden],
  );
  const selection = useRowSelection(shown, transferKey, JSON.stringify(filter));
  if (transfers.isError && !transfers.data)
    return <FaultView error={transfers.error} retry={() => void transfers.refetch()} />;
  if (!transfers.data) return <ListSkeleton rows={5} height={54} />;
  if (shown.length === 0)
    return <NoTransfers filter={filter} onClear={() => onChange(NO_FILTER)} />;
  const total = transfers.data.pages[0]?.total ?? shown.length;
  return (
    <Stack gap="sm">
      <TransferTable
        transfers={shown}
        sorting={{ order: filter.sort, onChange: (order) => onChange({ sort: sortOf(order) }) }}
        selection={selection}
      />
      <Text size="sm" c="dimmed" ta="center">
        {t.transferCount(total)}
      </Text>
      <MoreButton pages={transfers}>{t.more}</MoreButton>
      {selection.ids.length > 0 && (
        <TransferBar transfers={shown} filter={filter} selection={selection} total={total} />
      )}
    </Stack>
  );
}

function NoTransfers({ filter, onClear }: { filter: TransferListFilter; onClear(): void }) {
  const t = useMessages('transfers');
  const hasRights = useHasRights();
  const filters = useMessages('filters');
  if (isFiltered(filter))
    return (
      <EmptyState icon={IconFilterOff} title={t.noMatchTitle} text={t.noMatchText}>
        <Button variant="default" onClick={onClear}>
          {filters.clear}
        </Button>
      </EmptyState>
    );
  if (!hasRights) return <NoRights />;
  return (
    <EmptyState icon={IconArrowsTransferUp} title={t.emptyTitle} text={t.emptyText}>
      <Button component={Link} to="/transfers/new" variant="default">
        {t.create}
      </Button>
    </EmptyState>
  );
}
