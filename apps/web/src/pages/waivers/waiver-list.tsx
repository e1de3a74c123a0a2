import { Button, Stack } from '@mantine/core';
import { IconFilterOff, IconShieldCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keyOf, page } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { queryOf, type WaiverQuestion } from './waiver-filter.ts';
import { WaiverTable } from './waiver-table.tsx';

interface WaiverListProps extends WaiverQuestion {
  onOpen(id: string): void;
  onClear(): void;
}

const REFRESH_MS = 60_000;

export function WaiverList({ view, q, folder, onOpen, onClear }: WaiverListProps) {
  const t = useMessages('waivers');
  const query = queryOf({ view, q, folder });
  const pages = useInfiniteQuery({
    queryKey: [...keyOf('waivers.list', { query }), 'pages'],
    queryFn: ({ pageParam }) => page('waivers.list', { query: { ...query, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS,
  });
  return (
    <QueryView query={pages} rows={6} rowHeight={62}>
      {(data) => {
        const found = data.pages.flatMap(({ items }) => items);
        if (found.length === 0)
          return <NoWaivers view={view} q={q} folder={folder} onClear={onClear} />;
        return (
          <Stack gap="sm">
            <WaiverTable waivers={found} onOpen={onOpen} />
            <MoreButton pages={pages}>{t.more}</MoreButton>
          </Stack>
        );
      }}
    </QueryView>
  );
}

function NoWaivers({ view, q, folder, onClear }: Omit<WaiverListProps, 'onOpen'>) {
  const t = useMessages('waivers');
  if (q === '' && folder === null && view === 'review')
    return (
      <EmptyState icon={IconShieldCheck} title={t.queueEmptyTitle} text={t.queueEmptyText}>
        <Button variant="default" onClick={onClear}>
          {t.queueEmptyAction}
        </Button>
      </EmptyState>
    );
  if (q === '' && folder === null && view === 'all')
    return <EmptyState icon={IconShieldCheck} title={t.emptyTitle} text={t.emptyText} />;
  return (
    <EmptyState icon={IconFilterOff} title={t.noMatchTitle} text={t.noMatchText}>
      <Button variant="default" onClick={onClear}>
        {t.clear}
      </Button>
    </EmptyState>
  );
}
