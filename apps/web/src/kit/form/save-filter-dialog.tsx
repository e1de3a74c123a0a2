/** Asks for the name under which the present filter is saved. */
import { TextInput } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { FormDialog } from '../dialog/form-dialog.tsx';

interface SaveFilterDialogProps {
  onName(name: string): void;
  onClose(): void;
}

export default function SaveFilterDialog({ onName, onClose }: SaveFilterDialogProps) {
  const t = useMessages('filters');
  return (
    <FormDialog
      title={t.saveTitle}
      first={{ name: '' }}
      isReady={({ name }) => name.trim() !== ''}
      send={async ({ name }) => onName(name.trim())}
      action={t.saveAction}
      onClose={onClose}
    >
      {({ text }) => (
        <TextInput
          label={t.name}
          description={t.whereKept}
          {...text('name')}
          maxLength={60}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
