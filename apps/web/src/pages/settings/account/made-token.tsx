import { Button, Group, Stack, Text } from '@mantine/core';
import type { MadeToken } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { useAccount } from '../../../session/account.ts';
import classes from '../settings.module.css';

/** A new token, shown once, with an example of its use. */
export function MadeTokenView({ made, onClose }: { made: MadeToken; onClose(): void }) {
  const t = useMessages('account');
  const { username } = useAccount();
  const { host, origin } = window.location;
  const command =
    made.scope === 'docker'
      ? `docker login ${host} -u ${username}`
      : `curl -H "Authorization: Bearer $TOKEN" ${origin}/api/auth/me`;
  return (
    <Stack>
      <Text>{t.madeText}</Text>
      <div>
        <Text size="sm" fw={550} mb={4}>
          {t.token}
        </Text>
        <div className={classes.secret}>
          <code>{made.token}</code>
          <CopyButton text={made.token} label={t.copyToken} />
        </div>
      </div>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {made.scope === 'docker' ? t.loginHint : t.apiHint}
        </Text>
        <div className={classes.secret}>
          <code>{command}</code>
          <CopyButton text={command} label={t.copyCommand} />
        </div>
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t.close}</Button>
      </Group>
    </Stack>
  );
}
