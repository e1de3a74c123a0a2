import { MantineProvider } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { words } from '../i18n/words.ts';
import { nonce } from '../nonce.ts';
import { cssVariables, themeIn } from './theme.ts';

const useThemeWords = words({
  en: { close: 'Close', clear: 'Clear', reveal: 'Show the password' },
  fr: { close: 'Fermer', clear: 'Effacer', reveal: 'Afficher le mot de passe' },
  de: { close: 'Schließen', clear: 'Leeren', reveal: 'Passwort zeigen' },
});

export function Themed({ children }: { children: ReactNode }) {
  const t = useThemeWords();
  const theme = useMemo(() => themeIn(t), [t]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}
