/** Review requests: the queue, and beside it what a decision needs. */
import { Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask, useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useHiddenRows } from '../../kit/action/pending-acts.ts';
import { EmptyState, NoMatch } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { FilterSelect } from '../../kit/list/filter-select.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { useAccount } from '../../session/account.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import { isReviewer } from '../waivers/reviewer.ts';
import { afterDecision, neighbourOf, requestNumber } from './queue-order.ts';
import { ReviewDetail } from './review-detail.tsx';
import { REVIEW_VIEWS, type ReviewListView, reviewFilter } from './review-filter.ts';
import { ReviewQueue } from './review-queue.tsx';
import classes from './reviews.module.css';

const listOf = (first: ReviewListView) =>
  defineList({
    operation: 'reviews.list',
    filter: reviewFilter(first),
    keyOf: ({ number }) => String(number),
    refresh: 60_000,
  });
/** By the first view of the account. */
const REVIEWS = { waiting: listOf('waiting'), mine: listOf('mine') };

/** The queue and a request are beside one another. */
const WIDE = '(min-width: 68em)';

export function Component() {
  const t = useMessages('reviews');
  const first = isReviewer(useAccount()) ? 'waiting' : 'mine';
  const list = useList(REVIEWS[first]);
  const { state, change } = list;
  const view = state.view ?? first;
  const hidden = useHiddenRows();
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const reviews = list.table.rows.filter(({ number }) => !hidden.has(String(number)));
  const numbers = reviews.map(({ number }) => number);
  const opened = requestNumber(state.open);
  const current = opened ?? (isWide ? (numbers[0] ?? null) : null);
  const open = (number: number | null) => change({ open: number === null ? null : String(number) });
  const move = (step: 1 | -1) => {
    const next = neighbourOf(numbers, current, step);
    if (next !== null) open(next);
  };
  useNextLoaded(neighbourOf(numbers, current, 1));
  useShortcut('j', t.keys.next, () => move(1));
  useShortcut('k', t.keys.previous, () => move(-1));
  const detail = current !== null && (
    <ReviewDetail
      key={current}
      number={current}
      onDecided={(decided) => open(afterDecision(numbers, decided))}
      onBack={isWide ? undefined : () => open(null)}
    />
  );
  if (!isWide && detail) return detail;
  const { pages } = list;
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = pages;
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <FilterBar list={list} search={t.search} saved="reviews">
        <FilterSelect
          label={t.show}
          values={REVIEW_VIEWS}
          names={t.shows}
          value={view}
          onChange={(chosen) => change({ view: chosen, open: null })}
        />
        <FolderFilter folder={state.folder} onChange={(folder) => change({ folder, open: null })} />
      </FilterBar>
      <QueryView query={pages} rows={6} rowHeight={84}>
        {() =>
          numbers.length === 0 && opened === null ? (
            <Nothing view={view} isFiltered={list.isFiltered} onClear={list.clear} />
          ) : (
            <div className={classes.layout}>
              <Stack gap="sm" component="nav" aria-label={t.queue}>
                <ReviewQueue reviews={reviews} current={current} onOpen={open} />
                {fetchNextPage && (
                  <MoreButton pages={{ hasNextPage, isFetchingNextPage, fetchNextPage }}>
                    {t.more}
                  </MoreButton>
                )}
              </Stack>
              {detail}
            </div>
          )
        }
      </QueryView>
    </>
  );
}

/** A decision leads to the next request, which is there then. */
function useNextLoaded(number: number | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (number !== null) void queries.prefetchQuery(ask('reviews.get', { params: { number } }));
  }, [number, queries]);
}

interface FolderFilterProps {
  folder: string | null;
  onChange(folder: string | null): void;
}

function FolderFilter({ folder, onChange }: FolderFilterProps) {
  const t = useMessages('reviews');
  const { data: names = [] } = useAnswer('folders.listPullable');
  return (
    <FilterSelect
      label={t.folder}
      values={names}
      names={Object.fromEntries(names.map((name) => [name, name]))}
      value={folder}
      any={t.anyFolder}
      onChange={onChange}
    />
  );
}

interface NothingProps {
  view: ReviewListView;
  isFiltered: boolean;
  onClear(): void;
}

function Nothing({ view, isFiltered, onClear }: NothingProps) {
  const t = useMessages('reviews');
  const { clear } = useMessages('filters');
  if (isFiltered) return <NoMatch title={t.noMatchTitle} clear={clear} onClear={onClear} />;
  const [title, text] =
    view === 'waiting' ? [t.emptyTitle, t.emptyText] : [t.noneTitle, t.noneText];
  return <EmptyState icon={IconShieldCheck} title={title} text={text} />;
}
