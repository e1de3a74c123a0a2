/** A new token, which is shown once, with an example of its use. */
import { Stack, Text } from '@mantine/core';
import type { MadeToken } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { CopyableText } from '../text/copyable-text.tsx';
import { Dimmed } from '../text/dimmed.tsx';

interface MadeTokenViewProps {
  made: MadeToken;
  /** Of the account or robot that the token is for. */
  username: string;
}

export function MadeTokenView({ made, username }: MadeTokenViewProps) {
  const t = useMessages('account');
  const { host, origin } = window.location;
  const isForRegistry =
    typeof made.scope === 'object' ? made.scope.registry : made.scope === 'docker';
  const command = isForRegistry
    ? `docker login ${host} -u ${username}`
    : `curl -H "Authorization: Bearer $TOKEN" ${origin}/api/auth/me`;
  return (
    <Stack>
      <Text>{t.madeText}</Text>
      <div>
        <Text size="sm" fw={550} mb={4}>
          {t.token}
        </Text>
        <CopyableText text={made.token} label={t.copyToken} />
      </div>
      <div>
        <Dimmed mb={4}>{isForRegistry ? t.loginHint : t.apiHint}</Dimmed>
        <CopyableText text={command} label={t.copyCommand} />
      </div>
    </Stack>
  );
}
