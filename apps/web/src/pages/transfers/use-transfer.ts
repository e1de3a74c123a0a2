/** A running transfer: counts and jobs are loaded once and updated by events. */
import type { Job, TransferDetail } from '@portcullis/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { keyOf, page } from '../../api/api.ts';
import { BY_CURSOR } from '../../api/list-pages.ts';
import { useFeedState } from '../../live/live-jobs.ts';
import { useLiveTransfers } from '../../live/live-transfers.ts';
import { numbersOf } from '../../live/transfer-cache.ts';
import { groupCounts } from './job-groups.ts';
import { AT_ONCE, jobsMs } from './refetch-jobs.ts';

/** While events arrive, a fallback for missed ones. */
const NUMBERS_MS = { live: 60_000, connecting: 1_500, polling: 1_500 };
const PAGE_SIZE = 200;

export interface TransferInView {
  transfer: TransferDetail | undefined;
  jobs: Job[];
  fault: { error: Error; retry(): void } | null;
  /** What is left after the pages that load by themselves. */
  more: Pick<
    ReturnType<typeof useJobPages>,
    'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
}

/** @param all whether all jobs are loaded, which a chosen order needs */
export function useTransfer(id: string, all: boolean): TransferInView {
  const feed = useLiveTransfers(id);
  const numbers = useQuery({
    ...numbersOf(id),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? NUMBERS_MS[feed] : false),
  });
  const transfer = numbers.data;
  const running = transfer?.status === 'running';
  const pages = useJobPages(id, running);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = pages;
  const jobs = useMemo(() => data?.pages.flatMap(({ items }) => items.jobs) ?? [], [data]);

  // After an error, the button of the list loads the next page.
  const onItsWay = hasNextPage && !pages.isFetchNextPageError && (all || jobs.length < AT_ONCE);
  useEffect(() => {
    if (onItsWay && !isFetchingNextPage) void fetchNextPage();
  }, [onItsWay, isFetchingNextPage, fetchNextPage]);

  // Patterns add jobs while the transfer runs, and its end may precede its events. Many jobs wait
  // for the next time that they are loaded again.
  const behind =
    transfer !== undefined &&
    data !== undefined &&
    !(running && jobs.length > AT_ONCE) &&
    sizeOf(transfer) !== sizeOf(data.pages[0]?.items);
  useEffect(() => {
    if (behind) void refetch();
  }, [behind, refetch]);

  const error = numbers.error ?? pages.error;
  const retry = () => void Promise.all([numbers.refetch(), refetch()]);
  return {
    transfer,
    jobs,
    fault: error && (!transfer || !data) ? { error, retry } : null,
    more: { hasNextPage: hasNextPage && !onItsWay, isFetchingNextPage, fetchNextPage },
  };
}

function useJobPages(id: string, running: boolean) {
  const feed = useFeedState();
  const request = { params: { id }, query: { limit: PAGE_SIZE } };
  return useInfiniteQuery({
    queryKey: keyOf('transfers.getTransfer', request),
    queryFn: ({ pageParam }) =>
      page('transfers.getTransfer', { ...request, query: { ...request.query, cursor: pageParam } }),
    ...BY_CURSOR,
    refetchInterval: ({ state: { data } }) => running && jobsMs(feed, jobsIn(data?.pages ?? [])),
  });
}

function jobsIn(pages: readonly { items: TransferDetail }[]): number {
  return pages.reduce((sum, { items }) => sum + items.jobs.length, 0);
}

/** The number of jobs and the status, to detect changes. */
function sizeOf(transfer: TransferDetail | undefined): string {
  return transfer ? `${groupCounts(transfer).total} ${transfer.status}` : '';
}
