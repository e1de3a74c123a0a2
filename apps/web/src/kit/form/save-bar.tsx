/** Stays in sight while something isn't saved: how much, and the way forth and back. */
import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { words } from '../../i18n/words.ts';
import { FaultAlert } from '../fault/fault.tsx';
import classes from './save-bar.module.css';

const useSaveWords = words({
  en: { unsaved: 'Not saved yet', discard: 'Discard', save: 'Save' },
  fr: { unsaved: 'Pas encore enregistré', discard: 'Abandonner', save: 'Enregistrer' },
  de: { unsaved: 'Noch nicht gespeichert', discard: 'Verwerfen', save: 'Speichern' },
});

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
  const t = useSaveWords();
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
