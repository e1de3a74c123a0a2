/** The schedules, with the next pages of the list on demand. */
import { Button } from '@mantine/core';
import type { ScheduleView } from '@portcullis/contract';
import { IconCalendarClock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { FilterBar } from '../../../kit/list/filter-bar.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { EntriesBar } from '../../../kit/selection/entries-bar.tsx';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { NoRights, useHasRights } from '../../../session/no-rights.tsx';
import { useScheduleColumns } from './schedule-columns.tsx';
import { SCHEDULE_FILTER } from './schedule-filter.ts';

const SCHEDULES = defineList({
  operation: 'transfers.listSchedules',
  filter: SCHEDULE_FILTER,
  keyOf: entryKey,
  nameOf: entryName,
  refresh: 10_000,
});

const ENABLING = {
  operation: 'transfers.updateSchedule',
  body: (enabled: boolean) => ({ enabled }),
  isEnabled: ({ enabled }: ScheduleView) => enabled,
} as const;

export function ScheduleList() {
  const rows = useMessages('rowActs');
  const t = useMessages('schedule');
  const more = useMessages('transfers').more;
  const list = useList(SCHEDULES);
  return (
    <>
      <FilterBar list={list} search={t.search} saved="schedules" />
      <ListView
        list={list}
        columns={useScheduleColumns()}
        words={{ ...t, more }}
        rowHeight={86}
        empty={<NoSchedules />}
      >
        {(selectable) => (
          <EntriesBar
            list={selectable}
            words={rows.schedules}
            changes="transfers.listSchedules"
            remove="transfers.removeSchedule"
            enabling={ENABLING}
          />
        )}
      </ListView>
    </>
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
