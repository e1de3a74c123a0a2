/** Says on each page which part of the product is not available. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useAnswer } from '../api/api.ts';
import { useMessages } from '../i18n/messages.ts';

const EVERY_MS = 30_000;

/** Outages that affect every page; the scanner's state is shown with verdicts. */
const EXPLAINED = ['database', 'redis', 'registry', 'workers', 'disk'] as const;

/** Causes that have separate words; without one, those of the dependency are shown. */
const CAUSES = ['REGISTRY_DISK_RESERVE', 'DISK_UNWRITABLE', 'JOBS_WAIT_FOR_DISK'] as const;

/** Shows unavailable dependencies on every page. */
export function DependencyBanner() {
  const t = useMessages('shell');
  const { data } = useAnswer('system.dependencyHealth', undefined, {
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const away = EXPLAINED.flatMap((name) => {
    const state = data?.dependencies[name];
    if (state === undefined || state.ok) return [];
    return CAUSES.find((code) => code === state.code) ?? name;
  });
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
