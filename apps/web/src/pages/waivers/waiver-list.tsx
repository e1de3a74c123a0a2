import { Button, Stack } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { keyOf, page } from '../../api/api.ts';
import { useListPages } from '../../api/list-pages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { NoMatch } from '../../kit/layout/no-match.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { useRowSelection } from '../../kit/table/use-row-selection.ts';
import { useAccount } from '../../session/account.ts';
import { NoRights } from '../../session/no-rights.tsx';
import { isReviewer } from './reviewer.ts';
import { useMayRequest } from './use-may-request.ts';
import { WaiverBar } from './waiver-bar.tsx';
import { isNarrowed, queryOf, type WaiverQuestion } from './waiver-filter.ts';
import { WaiverTable, waiverKey } from './waiver-table.tsx';

interface WaiverListProps extends WaiverQuestion {
  onSort(order: string): void;
  onOpen(id: string): void;
  onClear(): void;
}

const REFRESH_MS = 60_000;

export function WaiverList({ onSort, onOpen, onClear, ...question }: WaiverListProps) {
  const t = useMessages('waivers');
  const [opened] = useState(Date.now);
  const query = queryOf(question, opened);
  const pages = useListPages({
    queryKey: [...keyOf('waivers.list', { query }), 'pages'],
    queryFn: ({ pageParam }) => page('waivers.list', { query: { ...query, cursor: pageParam } }),
    refetchInterval: REFRESH_MS,
  });
  const { data } = pages;
  const found = useMemo(() => (data?.pages ?? []).flatMap(({ items }) => items), [data]);
  const selection = useRowSelection(found, waiverKey, JSON.stringify(question));
  const reviews = isReviewer(useAccount());
  return (
    <>
      <QueryView query={pages} rows={6} rowHeight={62}>
        {() =>
          found.length === 0 ? (
            <NoWaivers {...question} onClear={onClear} />
          ) : (
            <Stack gap="sm">
              <WaiverTable
                waivers={found}
                sorting={{ order: question.sort, onChange: onSort }}
                selection={reviews ? selection : undefined}
                onOpen={onOpen}
              />
              <MoreButton pages={pages}>{t.more}</MoreButton>
            </Stack>
          )
        }
      </QueryView>
      {reviews && (
        <WaiverBar
          waivers={found}
          query={query}
          selection={selection}
          total={data?.pages[0]?.total ?? found.length}
        />
      )}
    </>
  );
}

function NoWaivers({ onClear, ...question }: Omit<WaiverListProps, 'onSort' | 'onOpen'>) {
  const t = useMessages('waivers');
  const { view } = question;
  const mayRequest = useMayRequest();
  const narrowed = isNarrowed(question);
  if (!narrowed && view === 'review')
    return (
      <EmptyState icon={IconShieldCheck} title={t.queueEmptyTitle} text={t.queueEmptyText}>
        <Button variant="default" onClick={onClear}>
          {t.queueEmptyAction}
        </Button>
      </EmptyState>
    );
  if (!narrowed && !mayRequest) return <NoRights />;
  if (!narrowed && view === 'all')
    return <EmptyState icon={IconShieldCheck} title={t.emptyTitle} text={t.emptyText} />;
  return <NoMatch title={t.noMatchTitle} text={t.noMatchText} clear={t.clear} onClear={onClear} />;
}
