/** Stays in sight while something isn't saved: how much, and the way forth and back. */

import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../fault/fault.tsx';
import classes from './save-bar.module.css';

interface SaveBarProps {
  dirty: boolean;
  /** In the place of "not saved yet". */
  summary?: string;
  pending: boolean;
  error?: unknown;
  /** Without it, the bar belongs to a form and submits it. */
  onSave?: () => void;
  onDiscard(): void;
  /** Where the form is short it stands at its end, and covers nothing. */
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
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
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
