import { MantineProvider } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useMessages } from '../i18n/messages.ts';
import { nonce } from '../nonce.ts';
import { cssVariables, themeIn } from './theme.ts';

export function Themed({ children }: { children: ReactNode }) {
  const t = useMessages('common');
  const theme = useMemo(() => themeIn({ close: t.close, clear: t.clear, reveal: t.reveal }), [t]);
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
