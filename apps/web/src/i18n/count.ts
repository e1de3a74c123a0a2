/** A number and its noun, as each language counts. */
import type { Language } from './words.ts';

type Count = (n: number, one: string, many: string) => string;

function counter(language: Language): Count {
  const rules = new Intl.PluralRules(language);
  const shown = new Intl.NumberFormat(language);
  return (n, one, many) => `${shown.format(n)} ${rules.select(n) === 'one' ? one : many}`;
}

export const count = { en: counter('en'), fr: counter('fr'), de: counter('de') } satisfies Record<
  Language,
  Count
>;
