import { Button, Stack, Switch } from '@mantine/core';
import type { ScheduleView } from '@portcullis/contract';
import { IconCalendarClock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call, keyOf, page } from '../../../api/api.ts';
import { useListPages } from '../../../api/list-pages.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { useJobFaultText } from '../../../kit/fault/job-fault.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { ListSkeleton } from '../../../kit/table/list-skeleton.tsx';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import classes from '../transfers.module.css';
import { ScheduleMenu } from './schedule-menu.tsx';
import { useCronText } from './use-cron-text.ts';

const REFRESH_MS = 10_000;

/** With the next pages of the list on demand. */
export function ScheduleTable() {
  const t = useMessages('schedule');
  const words = useMessages('transfers');
  const pages = useListPages({
    queryKey: keyOf('transfers.listSchedules'),
    queryFn: ({ pageParam }) => page('transfers.listSchedules', { query: { cursor: pageParam } }),
    refetchInterval: REFRESH_MS,
  });
  if (pages.isError && !pages.data)
    return <FaultView error={pages.error} retry={() => void pages.refetch()} />;
  if (!pages.data) return <ListSkeleton rows={3} height={60} />;
  const schedules = pages.data.pages.flatMap(({ items }) => items);
  if (schedules.length === 0)
    return (
      <EmptyState icon={IconCalendarClock} title={t.emptyTitle} text={t.emptyText}>
        <Button component={Link} to="/transfers/schedules/new" variant="default">
          {t.create}
        </Button>
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      <Table schedules={schedules} />
      <MoreButton pages={pages}>{words.more}</MoreButton>
    </Stack>
  );
}

function Table({ schedules }: { schedules: ScheduleView[] }) {
  const t = useMessages('schedule');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.when}</th>
          <th scope="col">{t.nextRun}</th>
          <th scope="col">{t.lastRun}</th>
          <th scope="col">{t.enabled}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {schedules.map((schedule) => (
          <Row key={schedule.id} schedule={schedule} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ schedule }: { schedule: ScheduleView }) {
  const t = useMessages('schedule');
  const words = useMessages('transfers');
  const format = useFormat();
  return (
    <tr>
      <td>
        <Link to={`/transfers/schedules/${schedule.id}`} className={table.name}>
          {schedule.name}
        </Link>
        <div className={table.quiet}>
          {words.images(schedule.images.length)} · {schedule.owner}
        </div>
      </td>
      <td>
        <CronText cron={schedule.cron} />
        <div className={table.quiet}>{schedule.timezone}</div>
      </td>
      <td className={`${table.quiet} ${table.nowrap}`} data-label={t.nextRun}>
        {schedule.next_run === null
          ? t.paused
          : format.dateTime(schedule.next_run, schedule.timezone)}
      </td>
      <td className={table.quiet} data-label={t.lastRun}>
        <LastRun schedule={schedule} />
      </td>
      <td className={classes.switch} data-label={t.enabled}>
        <EnabledSwitch schedule={schedule} />
      </td>
      <td className={table.tools}>
        <span className={table.above}>
          <ScheduleMenu schedule={schedule} />
        </span>
      </td>
    </tr>
  );
}

function CronText({ cron }: { cron: string }) {
  return useCronText(cron) ?? <code>{cron}</code>;
}

function LastRun({
  schedule: { last_run, last_transfer_id, last_error },
}: {
  schedule: ScheduleView;
}) {
  const t = useMessages('schedule');
  const faultText = useJobFaultText();
  return (
    <>
      {last_run === null && t.never}
      {last_run !== null && last_transfer_id === null && <RelativeTime at={last_run} />}
      {last_run !== null && last_transfer_id !== null && (
        <Link to={`/transfers/${last_transfer_id}`} className={`${classes.link} ${table.above}`}>
          <RelativeTime at={last_run} />
        </Link>
      )}
      {last_error !== null && (
        <div className={classes.fault}>
          {t.lastError} {faultText(last_error)}
        </div>
      )}
    </>
  );
}

function EnabledSwitch({ schedule }: { schedule: ScheduleView }) {
  const t = useMessages('schedule');
  const format = useFormat();
  const queries = useQueryClient();
  const notices = useNotices();
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      call('transfers.updateSchedule', { params: { id: schedule.id }, body: { enabled } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('transfers.listSchedules') }),
    onError: notices.fault,
  });
  return (
    <div className={table.above}>
      <Switch
        size="sm"
        w="fit-content"
        aria-label={`${t.enabled}${format.colon}${schedule.name}`}
        checked={change.isPending ? change.variables : schedule.enabled}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </div>
  );
}
