/** A new secret of a webhook, which is shown once. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';

export function SecretView({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useMessages('webhooks');
  const { close } = useMessages('common');
  return (
    <Stack>
      <Text>{t.secretText}</Text>
      <div>
        <Text size="sm" fw={550} mb={4}>
          {t.secret}
        </Text>
        <CopyableText text={secret} label={t.copySecret} />
      </div>
      <Text size="sm" c="dimmed">
        {t.secretHint}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{close}</Button>
      </Group>
    </Stack>
  );
}
