import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { type BatchEntry, readLines } from './batch-form.ts';

interface PasteDialogProps {
  opened: boolean;
  onClose(): void;
  onAdd(entries: BatchEntry[]): void;
}

export function PasteDialog({ opened, onClose, onAdd }: PasteDialogProps) {
  const t = useMessages('batch');
  return (
    <AskedModal opened={opened} onClose={onClose} title={t.pasteTitle} size="lg">
      {(close) => <PasteForm onClose={onClose} onCancel={close} onAdd={onAdd} />}
    </AskedModal>
  );
}

interface PasteFormProps extends Omit<PasteDialogProps, 'opened'> {
  onCancel(): void;
}

function PasteForm({ onClose, onCancel, onAdd }: PasteFormProps) {
  const t = useMessages('batch');
  const [text, setText] = useState('');
  const forget = useChanged({ text });
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
        <Button variant="default" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button
          disabled={entries.length === 0}
          onClick={() => {
            forget();
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
