/** Counted words: a number with its noun in the plural form that the language asks for. */
import type { Language } from './languages.ts';

type Choose = (n: number, one: string, many: string) => string;

export function counter(language: Language): Choose {
  const form = chooser(language);
  const shown = new Intl.NumberFormat(language);
  return (n, one, many) => `${shown.format(n)} ${form(n, one, many)}`;
}

/** The form of a word that is apart from its number. */
export function chooser(language: Language): Choose {
  const rules = new Intl.PluralRules(language);
  return (n, one, many) => (rules.select(n) === 'one' ? one : many);
}

/** Writes a number alone. */
export function numberIn(language: Language): (n: number) => string {
  const shown = new Intl.NumberFormat(language);
  return (n) => shown.format(n);
}
