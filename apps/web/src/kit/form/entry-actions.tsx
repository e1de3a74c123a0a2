/**
 * The buttons of a dialog that edits a list entry: delete left, cancel and save right. Where they
 * need two lines, delete is below.
 */

import { Button, Group } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

interface EntryActionsProps {
  isNew: boolean;
  /** The label of the button for a new entry. */
  create: string;
  pending: boolean;
  disabled: boolean;
  onCancel(): void;
  /** Absent where the entry can't be deleted. */
  onRemove?(): void;
}

export function EntryActions({
  isNew,
  create,
  pending,
  disabled,
  onCancel,
  onRemove,
}: EntryActionsProps) {
  const t = useMessages('common');
  const { cancel } = useMessages('common');
  return (
    <Group justify="space-between" wrap="wrap-reverse">
      {!isNew && onRemove && (
        <Button variant="subtle" color="red" onClick={onRemove}>
          {t.remove}
        </Button>
      )}
      <Group gap="xs" ml="auto">
        <Button variant="default" onClick={onCancel}>
          {cancel}
        </Button>
        <Button type="submit" loading={pending} disabled={disabled}>
          {isNew ? create : t.save}
        </Button>
      </Group>
    </Group>
  );
}
