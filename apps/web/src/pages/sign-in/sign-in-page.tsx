import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { CurrentUser } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ask } from '../../api/api.ts';
import { useSessionWords } from '../../session/session-words.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Mark } from '../../theme/mark.tsx';
import { LanguageLinks } from './language-links.tsx';
import { localPath } from './local-path.ts';
import classes from './sign-in-page.module.css';

export function Component() {
  const t = useSessionWords();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const queries = useQueryClient();
  useEffect(() => {
    document.title = `${t.title} · Portcullis`;
  }, [t]);

  function signedIn(user: CurrentUser): void {
    queries.clear();
    queries.setQueryData(ask('auth.me').queryKey, user);
    void navigate(localPath(search.get('next')), { replace: true });
  }

  return (
    <main className={classes.page}>
      <Stack w="100%" maw={380} gap="lg">
        <Stack gap={6} align="center" ta="center">
          <Mark size={44} />
          <Title order={1}>Portcullis</Title>
          <Text c="dimmed">{t.lead}</Text>
        </Stack>
        <Paper className={classes.card} withBorder>
          <SignInForm onSignedIn={signedIn} />
        </Paper>
        <Group justify="center">
          <LanguageLinks />
        </Group>
      </Stack>
    </main>
  );
}
