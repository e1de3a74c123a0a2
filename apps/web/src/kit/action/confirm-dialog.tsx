/** Asks before an act. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../fault/fault.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose(): void;
  title: string;
  /** What will be deleted. */
  children: ReactNode;
  /** The label of the confirming button: a verb. */
  action: string;
  onConfirm(): void;
  pending?: boolean;
  error?: unknown;
}

/** For actions that cannot be undone; for others a notification with "Undo" is better. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  children,
  action,
  onConfirm,
  pending = false,
  error,
}: ConfirmDialogProps) {
  const t = useMessages('common');
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text component="div">{children}</Text>
        <FaultAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.cancel}
          </Button>
          <Button color="red" loading={pending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
