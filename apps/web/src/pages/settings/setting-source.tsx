/** Whether it is the environment that says so, or somebody here; and the way back. */
import { Button, Group } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from '../../i18n/words.ts';
import { ConfirmDialog } from '../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../kit/action/notices.ts';
import { Badge } from '../../kit/verdict/badge.tsx';

const useSourceWords = words({
  en: {
    fromEnv: 'From the environment',
    override: 'Set here',
    reset: 'Back to the environment',
    resetTitle: 'Drop what was set here?',
    resetText: 'What the environment of the processes says, or the default, holds again at once.',
    wasReset: 'The environment holds again.',
  },
  fr: {
    fromEnv: 'De l’environnement',
    override: 'Réglé ici',
    reset: 'Revenir à l’environnement',
    resetTitle: 'Abandonner ce qui est réglé ici ?',
    resetText: 'Ce que dit l’environnement des processus, ou le défaut, vaut de nouveau aussitôt.',
    wasReset: 'L’environnement vaut de nouveau.',
  },
  de: {
    fromEnv: 'Aus der Umgebung',
    override: 'Hier gesetzt',
    reset: 'Zurück zur Umgebung',
    resetTitle: 'Verwerfen, was hier gesetzt ist?',
    resetText: 'Was die Umgebung der Prozesse sagt, oder der Standard, gilt sofort wieder.',
    wasReset: 'Die Umgebung gilt wieder.',
  },
});

interface SettingSourceProps {
  source: 'env' | 'override';
  reset(): Promise<unknown>;
  /** Of what is another one afterwards. */
  queryKey: QueryKey;
}

export function SettingSource({ source, reset, queryKey }: SettingSourceProps) {
  const t = useSourceWords();
  const notices = useNotices();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const resetting = useMutation({
    mutationFn: reset,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      setAsking(false);
      notices.done(t.wasReset);
    },
  });
  if (source === 'env') return <Badge tone="unknown">{t.fromEnv}</Badge>;
  return (
    <Group gap="xs">
      <Badge tone="wait">{t.override}</Badge>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {t.reset}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.resetTitle}
        action={t.reset}
        pending={resetting.isPending}
        error={resetting.error}
        onConfirm={() => resetting.mutate()}
      >
        {t.resetText}
      </ConfirmDialog>
    </Group>
  );
}
