import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import type { TransferDetail } from '@portcullis/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { keyOf, page } from '../../api/api.ts';
import { FaultView } from '../../components/fault.tsx';
import { ListSkeleton } from '../../components/list-skeleton.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useFormat } from '../../i18n/format.ts';
import { bytesSent, byUrgency, groupCounts } from './progress.ts';
import { useEndName } from './registry-ends.ts';
import { Selections } from './selections.tsx';
import { Tally } from './tally.tsx';
import { TransferActions } from './transfer-actions.tsx';
import { TransferJobs } from './transfer-jobs.tsx';
import { TransferStatusBadge } from './transfer-status.tsx';
import classes from './transfers.module.css';
import { useTransfersWords } from './transfers-words.ts';

const LIVELY_MS = 1500;

function useTransfer(id: string) {
  const request = { params: { id }, query: { limit: 200 } };
  return useInfiniteQuery({
    queryKey: keyOf('transfers.getTransfer', request),
    queryFn: ({ pageParam }) =>
      page('transfers.getTransfer', { ...request, query: { ...request.query, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.status === 'running' ? LIVELY_MS : false),
  });
}

export function Component() {
  const t = useTransfersWords();
  const { transferId = '' } = useParams();
  const query = useTransfer(transferId);
  const pages = query.data?.pages.map(({ items }) => items);
  const transfer = pages?.[0];
  if (query.isError && !transfer)
    return <FaultView error={query.error} retry={() => void query.refetch()} page />;
  if (!pages || !transfer) return <ListSkeleton rows={6} />;
  return (
    <>
      <Head transfer={transfer} />
      <Stack gap="md">
        <Summary transfer={transfer} />
        <Selections selections={transfer.selections} />
        <TransferJobs jobs={byUrgency(pages.flatMap(({ jobs }) => jobs))} />
        {query.hasNextPage && (
          <Button
            variant="default"
            mx="auto"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t.more}
          </Button>
        )}
      </Stack>
    </>
  );
}

function Head({ transfer }: { transfer: TransferDetail }) {
  const t = useTransfersWords();
  const nameOf = useEndName();
  const { total } = groupCounts(transfer.counts);
  const title = t.fromTo(nameOf(transfer.source), nameOf(transfer.destination));
  return (
    <>
      <nav className={classes.crumbs} aria-label={t.title}>
        <Anchor component={Link} to="/transfers">
          {t.back}
        </Anchor>
      </nav>
      <PageHead
        title={title}
        documentTitle={t.detailTitle(t.images(total))}
        description={
          <>
            {t.images(total)} · {transfer.owner} · <RelativeTime at={transfer.created_at} />
            {transfer.schedule_id !== null && (
              <>
                {' · '}
                <Anchor component={Link} to={`/transfers/schedules/${transfer.schedule_id}`}>
                  {t.scheduled}
                </Anchor>
              </>
            )}
          </>
        }
      >
        <TransferActions transfer={transfer} />
      </PageHead>
    </>
  );
}

function Summary({ transfer }: { transfer: TransferDetail }) {
  const t = useTransfersWords();
  const format = useFormat();
  const groups = groupCounts(transfer.counts);
  const { reused, mounted } = transfer.bytes;
  if (groups.total === 0 && transfer.status !== 'running')
    return (
      <Alert variant="light" color="gray">
        {t.nothingMatched}
      </Alert>
    );
  return (
    <section className={classes.summary} aria-label={t.progress}>
      <div className={classes.summaryHead}>
        <TransferStatusBadge status={transfer.status} />
        <Text fw={580}>{t.pushedOf(format.number(groups.done), format.number(groups.total))}</Text>
        <Text size="sm" c="dimmed" ml="auto">
          {t.moved(format.bytes(bytesSent(transfer.bytes)))} · {t.shared(format.bytes(reused + mounted))}
        </Text>
      </div>
      {groups.total > 0 && <Tally groups={groups} />}
    </section>
  );
}
