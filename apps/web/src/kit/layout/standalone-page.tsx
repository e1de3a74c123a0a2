/** A page with a single card, without the shell: sign-in and forced password change. */
import { Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { Mark } from '../../theme/mark.tsx';
import classes from './standalone-page.module.css';

interface StandalonePageProps {
  title: string;
  lead: string;
  children: ReactNode;
}

export function StandalonePage({ title, lead, children }: StandalonePageProps) {
  useEffect(() => {
    document.title = `${title} · Portcullis`;
  }, [title]);
  return (
    <main className={classes.page}>
      <Stack w="100%" maw={380} gap="lg">
        <Stack gap={6} align="center" ta="center">
          <Mark size={44} />
          <Title order={1}>Portcullis</Title>
          <Text c="dimmed" className={classes.lead ?? ''}>
            {lead}
          </Text>
        </Stack>
        <Paper className={classes.card} withBorder aria-label={title} component="section">
          {children}
        </Paper>
        <Group justify="center">
          <LanguageLinks />
        </Group>
      </Stack>
    </main>
  );
}

function LanguageLinks() {
  const [language, setLanguage] = useLanguage();
  const all = Object.entries(LANGUAGES) as [Language, string][];
  return all.map(([each, name]) => (
    <UnstyledButton
      key={each}
      lang={each}
      fz="sm"
      p={4}
      fw={language === each ? 600 : 400}
      c={language === each ? undefined : 'dimmed'}
      aria-pressed={language === each}
      onClick={() => setLanguage(each)}
    >
      {name}
    </UnstyledButton>
  ));
}
