import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/api.ts';
import { useMessages } from '../i18n/messages.ts';

const EVERY_MS = 30_000;

/** Outages that affect every page; the scanner's state is shown with verdicts. */
const EXPLAINED = ['database', 'redis', 'registry', 'disk'] as const;

/** Shows unavailable dependencies on every page. */
export function DependencyBanner() {
  const t = useMessages('shell');
  const { data } = useQuery({
    ...ask('system.dependencyHealth'),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const away = EXPLAINED.filter((name) => data?.dependencies[name].ok === false);
  return away.map((name) => (
    <Alert
      key={name}
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} />}
      role="status"
      title={t.away[name].title}
    >
      {t.away[name].help}
    </Alert>
  ));
}
