/** Whether a setting comes from the environment or from this page, with a reset button. */

import { Button, Group } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { ConfirmDialog } from '../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../kit/action/notices.ts';
import { Badge } from '../../kit/verdict/badge.tsx';

interface SettingSourceProps {
  source: 'env' | 'override';
  reset(): Promise<unknown>;
  /** The query to invalidate after the reset. */
  queryKey: QueryKey;
}

export function SettingSource({ source, reset, queryKey }: SettingSourceProps) {
  const t = useMessages('source');
  const notices = useNotices();
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const resetting = useMutation({
    mutationFn: reset,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      setConfirming(false);
      notices.done(t.wasReset);
    },
  });
  if (source === 'env') return <Badge tone="unknown">{t.fromEnv}</Badge>;
  return (
    <Group gap="xs">
      <Badge tone="wait">{t.override}</Badge>
      <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
        {t.reset}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
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
