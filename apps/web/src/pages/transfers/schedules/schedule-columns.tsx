/** Defines the columns of schedules. */
import { Menu, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ScheduleView } from '@portcullis/contract';
import { IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { type Messages, useMessages, useWords } from '../../../i18n/messages.ts';
import { ActionsMenu, GuardedMenuItem } from '../../../kit/action/actions-menu.tsx';
import { RemovalDialog } from '../../../kit/action/confirmed-act.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { useAct } from '../../../kit/action/use-act.ts';
import { useJobFaultText } from '../../../kit/fault/job-fault.tsx';
import { type Column, defineColumns, quiet, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { shownRunStatus } from '../transfer-status.tsx';
import classes from '../transfers.module.css';
import { RecentRuns } from './recent-runs.tsx';
import { useCronText } from './use-cron-text.ts';

export function useScheduleColumns(): Column<ScheduleView>[] {
  return useColumns(useMessages('transfers'));
}

const useColumns = defineColumns(
  'schedule',
  (t, format, words: Messages['transfers']): Column<ScheduleView>[] => [
    {
      title: t.name,
      sort: 'name',
      cell: ({ id, name, images, owner }) => (
        <>
          <RowName to={`/transfers/schedules/${id}`}>{name}</RowName>
          <div className={table.quiet}>
            {words.images(images.length)} · {owner}
          </div>
        </>
      ),
    },
    {
      id: 'when',
      title: t.when,
      width: '22%',
      cell: ({ cron, timezone }) => (
        <>
          <CronText cron={cron} />
          <div className={table.quiet}>{timezone}</div>
        </>
      ),
    },
    {
      title: t.nextRun,
      sort: 'next_run',
      label: t.nextRun,
      className: `${table.quiet} ${table.nowrap}`,
      width: '15%',
      cell: ({ next_run: at, timezone }) =>
        at === null ? t.paused : format.dateTime(at, timezone),
    },
    quiet({
      title: t.lastRun,
      sort: 'last_run',
      descendsFirst: true,
      width: '20%',
      cell: (schedule) => <LastRun schedule={schedule} />,
    }),
    {
      id: 'enabled',
      title: t.enabled,
      label: t.enabled,
      className: classes.switch,
      width: '90px',
      cell: (schedule) => <EnabledSwitch schedule={schedule} />,
    },
    {
      id: 'actions',
      title: null,
      className: table.tools,
      width: '52px',
      cell: (schedule) => (
        <span className={table.above}>
          <ScheduleMenu schedule={schedule} />
        </span>
      ),
    },
  ],
);

function CronText({ cron }: { cron: string }) {
  return useCronText(cron) ?? <code>{cron}</code>;
}

/** When it ran last, how that ended, and the runs before. */
function LastRun({ schedule }: { schedule: ScheduleView }) {
  const t = useMessages('schedule');
  const { status } = useMessages('transfers');
  const faultText = useJobFaultText();
  const { last_run, last_transfer_id, last_error, recent_runs: runs } = schedule;
  const last = runs.find(({ transfer_id: id }) => id === last_transfer_id);
  return (
    <>
      {last_run === null && t.never}
      {last_run !== null && !last && <RelativeTime at={last_run} />}
      {last_run !== null && last && (
        <Link to={`/transfers/${last.transfer_id}`} className={table.above}>
          {status[shownRunStatus(last)]}, <RelativeTime at={last_run} />
        </Link>
      )}
      <RecentRuns runs={runs} />
      {last_error !== null && (
        <div className={classes.fault}>
          {t.lastError} {faultText(last_error)}
        </div>
      )}
    </>
  );
}

function EnabledSwitch({ schedule }: { schedule: ScheduleView }) {
  const [t, format] = useWords('schedule');
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

/** Offers the acts of a schedule. */
function ScheduleMenu({ schedule }: { schedule: ScheduleView }) {
  const t = useMessages('schedule');
  const [removing, { open, close }] = useDisclosure();
  const params = { id: schedule.id };
  const run = useAct({
    run: () => call('transfers.runSchedule', { params }),
    done: () => t.running,
    changes: ['transfers.listSchedules'],
  });
  return (
    <>
      <ActionsMenu label={t.actionsFor(schedule.name)} width={200}>
        <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => run.mutate()}>
          {t.runNow}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`/transfers/schedules/${schedule.id}`}
          leftSection={<IconPencil size={16} />}
        >
          {t.edit}
        </Menu.Item>
        <Menu.Divider role="separator" />
        <GuardedMenuItem refusal={null} danger icon={IconTrash} onClick={open}>
          {t.remove}
        </GuardedMenuItem>
      </ActionsMenu>
      <RemovalDialog
        opened={removing}
        name={schedule.name}
        words={t}
        run={() => call('transfers.removeSchedule', { params })}
        lists={[keyOf('transfers.listSchedules')]}
        onClose={close}
      >
        {t.removeText}
      </RemovalDialog>
    </>
  );
}
