/** Adds the lines of a pasted text to a batch. */
import { Textarea } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { type BatchEntry, readLines } from './batch-form.ts';

interface PasteDialogProps {
  opened: boolean;
  onClose(): void;
  onAdd(entries: BatchEntry[]): void;
}

export function PasteDialog({ opened, onClose, onAdd }: PasteDialogProps) {
  const t = useMessages('batch');
  return (
    <FormDialog
      opened={opened}
      title={t.pasteTitle}
      size="lg"
      first={{ lines: '' }}
      isReady={({ lines }) => readLines(lines).length > 0}
      send={async ({ lines }) => onAdd(readLines(lines))}
      action={({ lines }) => t.pasteAction(readLines(lines).length)}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          <Dimmed>{t.pasteHint}</Dimmed>
          <Textarea
            aria-label={t.pasteLabel}
            placeholder={'team/app:1.4.2\nteam/web:1.*\nteam/api:^2.1'}
            {...text('lines')}
            minRows={8}
            maxRows={18}
            autosize
            spellCheck={false}
            data-autofocus
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        </>
      )}
    </FormDialog>
  );
}
