/** Counted words: a number with its noun in the plural form that the language asks for. */
import type { Language } from './languages.ts';

/** `many` is left out where the word has one form. */
type Count = (n: number, one: string, many?: string) => string;

/** @param options of the number, such as `{ notation: 'compact' }` */
export function counter(language: Language, options: Intl.NumberFormatOptions = {}): Count {
  const form = chooser(language);
  const shown = new Intl.NumberFormat(language, options);
  return (n, one, many = one) => `${shown.format(n)} ${form(n, one, many)}`;
}

/** The form of a word that is apart from its number. */
export function chooser(language: Language): (n: number, one: string, many: string) => string {
  const rules = new Intl.PluralRules(language);
  return (n, one, many) => (rules.select(n) === 'one' ? one : many);
}

/** Writes a number alone. */
export function numberIn(language: Language): (n: number) => string {
  const shown = new Intl.NumberFormat(language);
  return (n) => shown.format(n);
}
