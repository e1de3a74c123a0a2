import { UnstyledButton } from '@mantine/core';
import { useLanguage } from '../../i18n/language.tsx';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';

export function LanguageLinks() {
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
