import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { type BatchEntry, readLines } from './batch-form.ts';

interface PasteDialogProps {
  opened: boolean;
  onClose(): void;
  onAdd(entries: BatchEntry[]): void;
}

export function PasteDialog({ opened, onClose, onAdd }: PasteDialogProps) {
  const t = useMessages('batch');
  return (
    <Modal opened={opened} onClose={onClose} title={t.pasteTitle} size="lg">
      <PasteForm onClose={onClose} onAdd={onAdd} />
    </Modal>
  );
}

function PasteForm({ onClose, onAdd }: Omit<PasteDialogProps, 'opened'>) {
  const t = useMessages('batch');
  const [text, setText] = useState('');
  const entries = readLines(text);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t.pasteHint}
      </Text>
      <Textarea
        aria-label={t.pasteLabel}
        placeholder={'team/app:1.4.2\nteam/web:1.*\nteam/api:^2.1'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        minRows={8}
        maxRows={18}
        autosize
        spellCheck={false}
        data-autofocus
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button
          disabled={entries.length === 0}
          onClick={() => {
            onAdd(entries);
            onClose();
          }}
        >
          {t.pasteAction(entries.length)}
        </Button>
      </Group>
    </Stack>
  );
}
