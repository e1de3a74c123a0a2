import { Paper, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { PageHead } from '../../components/page-head.tsx';
import { useAccount } from '../../session/account.ts';
import { PasswordForm } from './password-form.tsx';
import { usePasswordWords } from './password-words.ts';

export function Component() {
  const t = usePasswordWords();
  const navigate = useNavigate();
  const { auth_source } = useAccount();
  return (
    <Stack maw={480} gap={0}>
      <PageHead title={t.title} description={t.lead} />
      <Paper withBorder p="lg" radius="md">
        {auth_source === 'local' ? (
          <PasswordForm onDone={() => void navigate('/')} />
        ) : (
          <Text>{t.elsewhere}</Text>
        )}
      </Paper>
    </Stack>
  );
}
