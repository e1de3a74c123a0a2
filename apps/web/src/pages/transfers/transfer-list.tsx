import { Button, Stack } from '@mantine/core';
import type { TransferView } from '@portcullis/contract';
import { IconArrowsTransferUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keyOf, page } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { ListSkeleton } from '../../kit/table/list-skeleton.tsx';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useLiveTransfers } from '../../live/live-transfers.ts';
import { useAccount } from '../../session/account.ts';
import { groupCounts } from './job-groups.ts';
import { StatusBreakdown } from './status-breakdown.tsx';
import { useRegistryName } from './transfer-registries.ts';
import { TransferStatusBadge } from './transfer-status.tsx';

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
  if (transfers.isError && !transfers.data)
    return <FaultView error={transfers.error} retry={() => void transfers.refetch()} />;
  if (!transfers.data) return <ListSkeleton rows={5} height={54} />;
  const shown = transfers.data.pages.flatMap(({ items }) => items);
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
      <TransferTable transfers={shown} />
      {transfers.hasNextPage && (
        <Button
          variant="default"
          mx="auto"
          loading={transfers.isFetchingNextPage}
          onClick={() => void transfers.fetchNextPage()}
        >
          {t.more}
        </Button>
      )}
    </Stack>
  );
}

function TransferTable({ transfers }: { transfers: TransferView[] }) {
  const t = useMessages('transfers');
  const { is_admin } = useAccount();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.route}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.progress}</th>
          {is_admin && <th scope="col">{t.owner}</th>}
          <th scope="col">{t.begun}</th>
        </tr>
      </thead>
      <tbody>
        {transfers.map((transfer) => (
          <Row key={transfer.transfer_id} transfer={transfer} withOwner={is_admin} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ transfer, withOwner }: { transfer: TransferView; withOwner: boolean }) {
  const t = useMessages('transfers');
  const nameOf = useRegistryName();
  const groups = groupCounts(transfer);
  return (
    <tr>
      <td>
        <Link to={`/transfers/${transfer.transfer_id}`} className={table.name}>
          {t.fromTo(nameOf(transfer.source), nameOf(transfer.destination))}
        </Link>
        <div className={table.quiet}>
          {t.images(groups.total)}
          {transfer.schedule_id !== null && ` · ${t.scheduled}`}
        </div>
      </td>
      <td>
        <TransferStatusBadge transfer={transfer} />
      </td>
      <td>
        <StatusBreakdown groups={groups} />
      </td>
      {withOwner && <td className={table.quiet}>{transfer.owner}</td>}
      <td className={`${table.quiet} ${table.nowrap}`}>
        <RelativeTime at={transfer.created_at} />
      </td>
    </tr>
  );
}
