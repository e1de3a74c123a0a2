/** Chooses the language of the page, and loads its words. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { loadAllMessages, loadSignInMessages } from './bundles.ts';
import { isLanguage, type Language } from './languages.ts';
import { LanguageContext } from './messages.ts';

const STORAGE_KEY = 'portcullis.language';
const SetLanguage = createContext<(language: Language) => void>(() => {});

/** The stored choice, else the first of the browser's languages that the page has. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

/** For code outside React. */
export function currentLanguage(): Language {
  const language = globalThis.document?.documentElement.lang;
  return isLanguage(language) ? language : 'en';
}

/** Loads what the first page shows. */
export async function loadPreferredLanguage(): Promise<Language> {
  const language = chooseLanguage(localStorage.getItem(STORAGE_KEY), navigator.languages);
  await loadSignInMessages(language);
  return language;
}

interface LanguageProviderProps {
  initial: Language;
  children: ReactNode;
}

export function LanguageProvider({ initial, children }: LanguageProviderProps) {
  const [language, setLanguage] = useState(initial);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = useMemo(
    () => async (next: Language) => {
      localStorage.setItem(STORAGE_KEY, next);
      await loadAllMessages(next);
      setLanguage(next);
    },
    [],
  );
  return (
    <SetLanguage value={choose}>
      <LanguageContext value={language}>{children}</LanguageContext>
    </SetLanguage>
  );
}

export function useLanguage(): [Language, (language: Language) => void] {
  return [useContext(LanguageContext), useContext(SetLanguage)];
}
