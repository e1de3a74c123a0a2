/** A number with its noun in the plural form that the language asks for. */
import type { Language } from './languages.ts';

type Count = (n: number, one: string, many: string) => string;

export function counter(language: Language): Count {
  const rules = new Intl.PluralRules(language);
  const shown = new Intl.NumberFormat(language);
  return (n, one, many) => `${shown.format(n)} ${rules.select(n) === 'one' ? one : many}`;
}

/** Writes a number alone. */
export function numberIn(language: Language): (n: number) => string {
  const shown = new Intl.NumberFormat(language);
  return (n) => shown.format(n);
}
