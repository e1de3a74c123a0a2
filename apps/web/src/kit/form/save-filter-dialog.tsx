/** Asks for the name under which the present filter is saved. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';

interface SaveFilterDialogProps {
  onName(name: string): void;
  onClose(): void;
}

export default function SaveFilterDialog({ onName, onClose }: SaveFilterDialogProps) {
  const t = useMessages('filters');
  const [name, setName] = useState('');
  return (
    <Modal opened onClose={onClose} title={t.saveTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onName(name.trim());
        }}
      >
        <Stack>
          <TextInput
            label={t.name}
            description={t.whereKept}
            data-autofocus
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={name.trim() === ''}>
              {t.saveAction}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
