/** Starts the page: its theme, its routes and its queries. */
import './theme/mantine.css';
import '@mantine/notifications/styles.css';
import './theme/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/query-client.ts';
import { LanguageProvider, loadPreferredLanguage } from './i18n/language.tsx';
import type { Language } from './i18n/languages.ts';
import { useMessages } from './i18n/messages.ts';
import { noteChunkErrors } from './kit/fault/chunk-errors.ts';
import { router } from './routes.tsx';
import { shareMediaQueries } from './theme/shared-media-queries.ts';
import { cssVariables, themeIn } from './theme/theme.ts';

/** The nonce that the content security policy requires of style tags. */
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

// The scroll lock of Mantine's dialogs (react-remove-scroll) reads the nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queryClient = createQueryClient();

function App({ language }: { language: Language }) {
  return (
    <LanguageProvider initial={language}>
      <Themed>
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Themed>
    </LanguageProvider>
  );
}

function Themed({ children }: { children: ReactNode }) {
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

const RELOAD_MS = 2_000;

/** Without words the page would stay empty: the network changed, or a new version came. */
function reloadLater(): Promise<never> {
  setTimeout(() => window.location.reload(), RELOAD_MS);
  return new Promise(() => {});
}

// The build adds it to the components that need it.
if (import.meta.env.DEV) await import('./theme/mantine-later.css');
noteChunkErrors();
shareMediaQueries(window);
const root = document.getElementById('root');
const language = await loadPreferredLanguage().catch(reloadLater);
if (root) createRoot(root).render(<App language={language} />);
