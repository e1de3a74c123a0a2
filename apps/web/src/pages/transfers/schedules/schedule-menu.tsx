/** Offers the acts of a schedule. */
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ScheduleView } from '@portcullis/contract';
import { IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ActionsMenu } from '../../../kit/action/actions-menu.tsx';
import { GuardedMenuItem } from '../../../kit/action/guarded-menu-item.tsx';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';
import { useAct } from '../../../kit/action/use-act.ts';

export function ScheduleMenu({ schedule }: { schedule: ScheduleView }) {
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
