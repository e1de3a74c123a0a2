import { Button, Stack } from '@mantine/core';
import { IconArrowsTransferUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { keyOf, page } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useHiddenRows } from '../../kit/action/pending-acts.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { ListSkeleton } from '../../kit/table/list-skeleton.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { useRowSelection } from '../../kit/table/use-row-selection.ts';
import { useLiveTransfers } from '../../live/live-transfers.ts';
import { TransferBar } from './transfer-bar.tsx';
import { TransferTable, transferKey } from './transfer-table.tsx';

const LIVELY_MS = 2500;
const QUIET_MS = 15_000;
/** While events arrive, a fallback for missed ones. */
const LIVE_MS = 60_000;

function useTransfers() {
  const feed = useLiveTransfers();
  return useInfiniteQuery({
    queryKey: keyOf('transfers.listTransfers'),
    queryFn: ({ pageParam }) => page('transfers.listTransfers', { query: { cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) => {
      if (feed === 'live') return LIVE_MS;
      const shown = state.data?.pages.flatMap(({ items }) => items) ?? [];
      return shown.some(({ status }) => status === 'running') ? LIVELY_MS : QUIET_MS;
    },
  });
}

export function TransferList() {
  const t = useMessages('transfers');
  const transfers = useTransfers();
  const hidden = useHiddenRows();
  const { data } = transfers;
  const shown = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap(({ items }) => items)
        .filter((transfer) => !hidden.has(transferKey(transfer))),
    [data, hidden],
  );
  const selection = useRowSelection(shown, transferKey, '');
  if (transfers.isError && !transfers.data)
    return <FaultView error={transfers.error} retry={() => void transfers.refetch()} />;
  if (!transfers.data) return <ListSkeleton rows={5} height={54} />;
  if (shown.length === 0)
    return (
      <EmptyState icon={IconArrowsTransferUp} title={t.emptyTitle} text={t.emptyText}>
        <Button component={Link} to="/transfers/new" variant="default">
          {t.create}
        </Button>
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      <TransferTable transfers={shown} selection={selection} />
      <MoreButton pages={transfers}>{t.more}</MoreButton>
      {selection.ids.length > 0 && <TransferBar transfers={shown} selection={selection} />}
    </Stack>
  );
}
