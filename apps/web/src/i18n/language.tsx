import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { LANGUAGES, type Language, LanguageContext } from './words.ts';

const STORED = 'portcullis.language';
const SetLanguage = createContext<(language: Language) => void>(() => {});

export function isLanguage(text: string | null | undefined): text is Language {
  return typeof text === 'string' && Object.hasOwn(LANGUAGES, text);
}

/** The reader's choice, else the first of the browser's languages that we speak. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

/** For what isn't a component. */
export function readersLanguage(): Language {
  const told = globalThis.document?.documentElement.lang;
  return isLanguage(told) ? told : 'en';
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(() =>
    chooseLanguage(localStorage.getItem(STORED), navigator.languages),
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = useMemo(
    () => (wanted: Language) => {
      localStorage.setItem(STORED, wanted);
      setLanguage(wanted);
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
