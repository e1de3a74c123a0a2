/** Whether a setting comes from the environment or from this page, with a reset button. */

import { Button, Group } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { ConfirmedAct } from '../../kit/action/confirmed-act.tsx';
import { Badge } from '../../kit/verdict/badge.tsx';

interface SettingSourceProps {
  source: 'env' | 'override';
  reset(): Promise<unknown>;
  /** The query to invalidate after the reset. */
  queryKey: QueryKey;
}

export function SettingSource({ source, reset, queryKey }: SettingSourceProps) {
  const t = useMessages('source');
  const [isConfirming, setConfirming] = useState(false);
  if (source === 'env') return <Badge tone="unknown">{t.fromEnv}</Badge>;
  return (
    <Group gap="xs">
      <Badge tone="wait">{t.override}</Badge>
      <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
        {t.reset}
      </Button>
      <ConfirmedAct
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={t.resetTitle}
        action={t.reset}
        run={reset}
        done={() => t.wasReset}
        lists={[queryKey]}
      >
        {t.resetText}
      </ConfirmedAct>
    </Group>
  );
}
