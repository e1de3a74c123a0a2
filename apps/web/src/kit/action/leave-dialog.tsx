import { Button, Group, Modal, Text } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

interface LeaveDialogProps {
  onStay(): void;
  onLeave(): void;
}

export default function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  const t = useMessages('leaving');
  return (
    <Modal opened onClose={onStay} title={t.title}>
      <Text>{t.text}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onStay} data-autofocus>
          {t.stay}
        </Button>
        <Button color="red" onClick={onLeave}>
          {t.leave}
        </Button>
      </Group>
    </Modal>
  );
}
