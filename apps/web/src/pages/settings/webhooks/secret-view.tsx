/** A new secret of a webhook, which is shown once. */
import { Stack, Text } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';

export function SecretView({ secret }: { secret: string }) {
  const t = useMessages('webhooks');
  return (
    <Stack>
      <Text>{t.secretText}</Text>
      <div>
        <Text size="sm" fw={550} mb={4}>
          {t.secret}
        </Text>
        <CopyableText text={secret} label={t.copySecret} />
      </div>
      <Dimmed>{t.secretHint}</Dimmed>
    </Stack>
  );
}
