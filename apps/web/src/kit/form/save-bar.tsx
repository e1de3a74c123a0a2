/** A sticky bar with save and discard buttons, shown while there are unsaved changes. */

import { Button, Group, Text } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../fault/fault.tsx';
import classes from './save-bar.module.css';
import { useUnsaved } from './unsaved.ts';

interface SaveBarProps {
  dirty: boolean;
  /** Replaces the default text. */
  summary?: string;
  pending: boolean;
  error?: unknown;
  /** Without it, the button submits the surrounding form. */
  onSave?: () => void;
  onDiscard(): void;
  /** Not sticky: for short forms. */
  inFlow?: boolean;
}

export function SaveBar({
  dirty,
  summary,
  pending,
  error,
  onSave,
  onDiscard,
  inFlow = false,
}: SaveBarProps) {
  const t = useMessages('common');
  useUnsaved(dirty);
  return (
    <div className={classes.place} data-in-flow={inFlow || undefined} aria-live="polite">
      {dirty && (
        <div className={classes.bar}>
          <FaultAlert error={error} />
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={550}>
              {summary ?? t.unsaved}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={onDiscard} disabled={pending}>
                {t.discard}
              </Button>
              <Button
                type={onSave ? 'button' : 'submit'}
                loading={pending}
                {...(onSave && { onClick: onSave })}
              >
                {t.save}
              </Button>
            </Group>
          </Group>
        </div>
      )}
    </div>
  );
}
