/** Deletes an account after a confirmation. */
import { Stack, Text } from '@mantine/core';
import type { User } from '@portcullis/contract';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';

interface UserRemovalProps {
  user: User;
  onClose(): void;
  onDone(): void;
}

export function UserRemoval({ user, onClose, onDone }: UserRemovalProps) {
  const t = useMessages('users');
  return (
    <RemovalDialog
      title={t.removeTitle(user.username)}
      action={t.removeAction}
      remove={() => call('users.remove', { params: { id: user.id } })}
      done={t.removed(user.username)}
      lists={[keyOf('users.list')]}
      onDone={onDone}
      onClose={onClose}
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
    </RemovalDialog>
  );
}
