/** Says on every page that the server can't be reached, so that what is shown may be old. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMessages } from '../i18n/messages.ts';
import { useFeedState } from '../live/live-jobs.ts';

export function OfflineBanner() {
  const t = useMessages('fault');
  if (useFeedState() !== 'polling') return null;
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} />}
      role="status"
      title={t.offline}
    >
      {t.offlineHelp}
    </Alert>
  );
}
