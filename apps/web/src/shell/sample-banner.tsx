/** Says on every page that what is shown is made up, where the operator marked it so. */
import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMessages } from '../i18n/messages.ts';
import { useSampleData } from './use-sample-data.ts';

export function SampleBanner() {
  const { sampleData: t } = useMessages('shell');
  const isSample = useSampleData();
  if (!isSample) return null;
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
