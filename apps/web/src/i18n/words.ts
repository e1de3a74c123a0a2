/** Dictionaries lie beside the page they belong to, and come with its chunk. A missing or surplus key doesn't compile. */
import { createContext, useContext } from 'react';

export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** Words, or sentences that take values. */
export type Words = { readonly [key: string]: string | ((...args: never[]) => string) | Words };

export type Dictionary<T extends Words> = { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>;

export const LanguageContext = createContext<Language>('en');

export type UseWords<T extends Words> = (() => T) & { dictionary: Dictionary<T> };

/** Gives the hook by which components read the words in the reader's language. */
export function words<T extends Words>(dictionary: Dictionary<T>): UseWords<T> {
  return Object.assign(() => dictionary[useContext(LanguageContext)], { dictionary });
}
