/** Says on every page that what is shown is made up, where the operator marked it so. */
import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/api.ts';
import { useMessages } from '../i18n/messages.ts';

export function SampleBanner() {
  const { sampleData: t } = useMessages('shell');
  // The banner of dependencies asks again.
  const { data } = useQuery({ ...ask('system.dependencyHealth'), retry: false });
  if (data?.sample_data !== true) return null;
  return (
    <Alert
      color="steel"
      variant="light"
      mb="md"
      py={8}
      icon={<IconInfoCircle size={18} />}
      role="note"
    >
      <strong>{t.title}</strong> · {t.help}
    </Alert>
  );
}
