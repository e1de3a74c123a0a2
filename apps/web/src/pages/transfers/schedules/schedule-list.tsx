/** The schedules, with the next pages of the list on demand. */
import { Button } from '@mantine/core';
import { IconCalendarClock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { NoRights } from '../../../session/no-rights.tsx';
import { useHasRights } from '../../../session/use-has-rights.ts';
import { ScheduleBar } from './schedule-bar.tsx';
import { useScheduleColumns } from './schedule-columns.tsx';
import { SCHEDULE_FILTER } from './schedule-filter.ts';

const SCHEDULES = defineList({
  operation: 'transfers.listSchedules',
  filter: SCHEDULE_FILTER,
  keyOf: entryKey,
  nameOf: entryName,
  refresh: 10_000,
});

export function ScheduleList() {
  const list = useList(SCHEDULES);
  return (
    <ListView
      list={list}
      columns={useScheduleColumns()}
      words={useMessages('transfers')}
      rowHeight={62}
      empty={<NoSchedules />}
    >
      {(selectable) => <ScheduleBar list={selectable} />}
    </ListView>
  );
}

function NoSchedules() {
  const t = useMessages('schedule');
  if (!useHasRights()) return <NoRights />;
  return (
    <EmptyState icon={IconCalendarClock} title={t.emptyTitle} text={t.emptyText}>
      <Button component={Link} to="/transfers/schedules/new" variant="default">
        {t.create}
      </Button>
    </EmptyState>
  );
}
