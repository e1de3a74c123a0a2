import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ScheduleView } from '@portcullis/contract';
import { IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ActionsMenu } from '../../../kit/action/actions-menu.tsx';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { GuardedMenuItem } from '../../../kit/action/guarded-menu-item.tsx';
import { useNotices } from '../../../kit/action/notices.ts';

type Order = 'transfers.runSchedule' | 'transfers.removeSchedule';

function useOrder(name: Order, { id }: ScheduleView, done: string) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: async () => {
      await call(name, { params: { id } });
    },
    onSuccess() {
      notices.done(done);
      return queries.invalidateQueries({ queryKey: keyOf('transfers.listSchedules') });
    },
    onError: notices.fault,
  });
}

export function ScheduleMenu({ schedule }: { schedule: ScheduleView }) {
  const t = useMessages('schedule');
  const [removing, { open, close }] = useDisclosure();
  const run = useOrder('transfers.runSchedule', schedule, t.running);
  const remove = useOrder('transfers.removeSchedule', schedule, t.removed(schedule.name));
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
      <ConfirmDialog
        opened={removing}
        onClose={close}
        title={t.removeTitle(schedule.name)}
        action={t.removeAction}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
        pending={remove.isPending}
      >
        {t.removeText}
      </ConfirmDialog>
    </>
  );
}
