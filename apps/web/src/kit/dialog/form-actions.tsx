/**
 * The buttons of a dialog with a form: delete left, cancel and send right. Where they need two
 * lines, delete is below.
 */
import { Button, Group } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

interface FormActionsProps {
  /** Of the button that sends the form: a verb. */
  action: string;
  /** It deletes something. */
  danger?: boolean;
  pending?: boolean;
  disabled?: boolean;
  onCancel(): void;
  /** Absent where there is nothing to delete. */
  onRemove?: (() => void) | undefined;
}

export function FormActions({
  action,
  danger = false,
  pending = false,
  disabled = false,
  onCancel,
  onRemove,
}: FormActionsProps) {
  const t = useMessages('common');
  return (
    <Group justify="space-between" wrap="wrap-reverse">
      {onRemove && (
        <Button variant="subtle" color="red" onClick={onRemove}>
          {t.remove}
        </Button>
      )}
      <Group gap="xs" ml="auto">
        <Button variant="default" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button
          type="submit"
          {...(danger && { color: 'red' })}
          loading={pending}
          disabled={disabled}
        >
          {action}
        </Button>
      </Group>
    </Group>
  );
}
