import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { AuditEvent } from '@portcullis/contract';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, keyOf, page } from '../../api/api.ts';
import { useListPages } from '../../api/list-pages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { NoMatch } from '../../kit/layout/no-match.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { type AuditView, isFiltered, queryOf } from './audit-filter.ts';
import { AuditTable } from './audit-table.tsx';
import { EventDialog } from './event-dialog.tsx';

interface AuditListProps {
  view: AuditView;
  live: boolean;
  onFilter(change: Partial<AuditView>): void;
  onClear(): void;
}

const LIVE_MS = 2000;
const LIVE_EVENTS = 100;

export function AuditList({ view, live, onFilter, onClear }: AuditListProps) {
  const [debounced] = useDebouncedValue(view, 300);
  const query = queryOf(debounced, Date.now());
  const [open, setOpen] = useState<AuditEvent | null>(null);
  const shared = { onOpen: setOpen, filtered: isFiltered(debounced), onClear };
  return (
    <>
      {live ? <LiveEvents query={query} {...shared} /> : <Events query={query} {...shared} />}
      {open && (
        <EventDialog
          event={open}
          onClose={() => setOpen(null)}
          onFilter={(change) => {
            setOpen(null);
            onFilter(change);
          }}
        />
      )}
    </>
  );
}

interface EventsProps {
  query: ReturnType<typeof queryOf>;
  filtered: boolean;
  onOpen(event: AuditEvent): void;
  onClear(): void;
}

/** The latest events, by polling: audit events have no stream. */
function LiveEvents({ query, filtered, onOpen, onClear }: EventsProps) {
  const newest = useQuery({
    ...ask('audit.listAudit', { query: { ...query, limit: LIVE_EVENTS } }),
    refetchInterval: LIVE_MS,
    placeholderData: (previous) => previous,
  });
  return (
    <QueryView query={newest} rows={10}>
      {(events) =>
        events.length === 0 ? (
          <NoEvents filtered={filtered} onClear={onClear} />
        ) : (
          <AuditTable events={events} onOpen={onOpen} live />
        )
      }
    </QueryView>
  );
}

function Events({ query, filtered, onOpen, onClear }: EventsProps) {
  const t = useMessages('audit');
  const pages = useListPages({
    queryKey: keyOf('audit.listAudit', { query }),
    queryFn: ({ pageParam }) => page('audit.listAudit', { query: { ...query, cursor: pageParam } }),
  });
  return (
    <QueryView query={pages} rows={10}>
      {(data) => {
        const events = data.pages.flatMap(({ items }) => items);
        return (
          <Stack gap="sm">
            {events.length > 0 && <AuditTable events={events} onOpen={onOpen} />}
            {events.length === 0 && !pages.hasNextPage && (
              <NoEvents filtered={filtered} onClear={onClear} />
            )}
            {events.length > 0 && (
              <Text size="sm" c="dimmed" ta="center">
                {t.shown(events.length)}
              </Text>
            )}
            <MoreButton pages={pages}>{query.q === '' ? t.more : t.searchOn}</MoreButton>
          </Stack>
        );
      }}
    </QueryView>
  );
}

function NoEvents({ filtered, onClear }: { filtered: boolean; onClear(): void }) {
  const t = useMessages('audit');
  if (!filtered) return <EmptyState icon={IconHistory} title={t.emptyTitle} text={t.emptyText} />;
  return <NoMatch title={t.noMatchTitle} text={t.noMatchText} clear={t.clear} onClear={onClear} />;
}
