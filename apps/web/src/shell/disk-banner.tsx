import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/api.ts';
import { useShellWords } from './shell-words.ts';

const EVERY_MS = 30_000;

/** On every page while work waits for space on the disk: nobody should look for another cause. */
export function DiskBanner() {
  const t = useShellWords();
  const { data } = useQuery({ ...ask('system.ready'), refetchInterval: EVERY_MS, retry: false });
  if (data?.dependencies.disk.ok !== false) return null;
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} />}
      role="status"
      title={t.diskShort}
    >
      {t.diskShortHelp}
    </Alert>
  );
}
