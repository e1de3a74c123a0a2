import { Stack, Text } from '@mantine/core';
import type { User } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';

interface UserRemovalProps {
  user: User;
  onClose(): void;
  onDone(): void;
}

export function UserRemoval({ user, onClose, onDone }: UserRemovalProps) {
  const t = useMessages('users');
  const notices = useNotices();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('users.remove', { params: { id: user.id } }),
    onSuccess: async () => {
      notices.done(t.removed(user.username));
      onDone();
      await queries.invalidateQueries({ queryKey: keyOf('users.list') });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeTitle(user.username)}
      action={t.removeAction}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      <Stack gap="xs">
        <Text>{t.removeText}</Text>
        <ul style={{ margin: 0, paddingInlineStart: 20 }}>
          {t.removeList.split('\n').map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <Text c="dimmed">{t.removeStays}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
