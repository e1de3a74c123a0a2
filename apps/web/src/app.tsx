import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/query-client.ts';
import { LanguageProvider } from './i18n/language.tsx';
import type { Language } from './i18n/languages.ts';
import { router } from './routes.tsx';
import { Themed } from './theme/themed.tsx';

const queryClient = createQueryClient();

export function App({ language }: { language: Language }) {
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
