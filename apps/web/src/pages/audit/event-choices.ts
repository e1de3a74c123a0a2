/** The audit events in the order of their names, to choose one. */
import type { Language } from '../../i18n/languages.ts';
import { type EventWords, eventWords } from './event-words.ts';

interface EventChoice {
  /** The code. */
  value: string;
  label: string;
}

interface ChoiceOptions {
  language: Language;
  /** May be an event of another release, which is a choice, too; empty for none. */
  chosen: string;
}

export function eventChoices(
  words: EventWords,
  { language, chosen }: ChoiceOptions,
): EventChoice[] {
  const codes = new Set([...Object.keys(words), ...(chosen === '' ? [] : [chosen])]);
  const { compare } = new Intl.Collator(language);
  return [...codes]
    .map((value) => ({ value, label: eventWords(words, value) }))
    .sort((one, other) => compare(one.label, other.label));
}

/** Each word of the search is in the name or the code. */
export function isFound({ value, label }: EventChoice, search: string): boolean {
  const text = `${label} ${value}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
