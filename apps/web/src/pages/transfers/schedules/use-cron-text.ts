/** Describes a cron expression in the user's language. The library is loaded on demand. */
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Language } from '../../../i18n/languages.ts';

const LOCALES: Record<Language, () => Promise<unknown>> = {
  en: async () => null,
  fr: () => import('cronstrue/locales/fr.js'),
  de: () => import('cronstrue/locales/de.js'),
};

const DAILY = /^\d+ \d+ \* \* \*$/;

/** Null if the expression cannot be described. */
async function inWords(cron: string, locale: Language): Promise<string | null> {
  const { default: cronstrue } = await import('cronstrue');
  await LOCALES[locale]();
  const text = cronstrue.toString(cron, {
    locale,
    use24HourTimeFormat: true,
    throwExceptionOnParseError: false,
    // “At 03:00” alone leaves the days open.
    verbose: DAILY.test(cron),
  });
  return /^An error occur|^Fehler|^Une erreur/i.test(text) ? null : text;
}

export function useCronText(cron: string): string | null {
  const [language] = useLanguage();
  const words = useQuery({
    queryKey: ['cron-words', language, cron],
    queryFn: () => inWords(cron, language),
    enabled: cron !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return words.data ?? null;
}
