/** The schedules, with the next pages of the list on demand. */
import { Button, Stack } from '@mantine/core';
import { IconCalendarClock } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { keyOf, page } from '../../../api/api.ts';
import { useListPages } from '../../../api/list-pages.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { entryKey } from '../../../kit/selection/entry.ts';
import { useSelectable } from '../../../kit/selection/use-selectable.ts';
import { ListSkeleton } from '../../../kit/table/list-skeleton.tsx';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import { NoRights } from '../../../session/no-rights.tsx';
import { useHasRights } from '../../../session/use-has-rights.ts';
import { ScheduleBar } from './schedule-bar.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import { useScheduleOrder } from './use-schedule-order.ts';

const REFRESH_MS = 10_000;

export function ScheduleList() {
  const words = useMessages('transfers');
  const sorting = useScheduleOrder();
  const query = { sort: sorting.order };
  const pages = useListPages({
    queryKey: keyOf('transfers.listSchedules', { query }),
    queryFn: ({ pageParam }) =>
      page('transfers.listSchedules', { query: { ...query, cursor: pageParam } }),
    refetchInterval: REFRESH_MS,
  });
  const { data } = pages;
  const loaded = useMemo(() => (data?.pages ?? []).flatMap(({ items }) => items), [data]);
  const { rows, selection } = useSelectable(loaded, entryKey);
  if (pages.isError && !data)
    return <FaultView error={pages.error} retry={() => void pages.refetch()} />;
  if (!data) return <ListSkeleton rows={3} height={60} />;
  const total = data.pages[0]?.total ?? loaded.length;
  return (
    <Stack gap="sm">
      {total === 0 ? (
        <NoSchedules />
      ) : (
        <>
          <ScheduleTable schedules={rows} sorting={sorting} selection={selection} />
          <MoreButton pages={pages}>{words.more}</MoreButton>
        </>
      )}
      <ScheduleBar schedules={rows} selection={selection} total={total} />
    </Stack>
  );
}

function NoSchedules() {
  const t = useMessages('schedule');
  const hasRights = useHasRights();
  if (!hasRights) return <NoRights />;
  return (
    <EmptyState icon={IconCalendarClock} title={t.emptyTitle} text={t.emptyText}>
      <Button component={Link} to="/transfers/schedules/new" variant="default">
        {t.create}
      </Button>
    </EmptyState>
  );
}
