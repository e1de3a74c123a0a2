/** What an audit event is called in the page's language. */
import { type Messages, useMessages } from '../../i18n/messages.ts';

export type EventWords = Messages['audit']['events'];

/** An event of an older or newer release may have no name: then its code is shown. */
export function eventWords(words: EventWords, event: string): string {
  return isNamed(words, event) ? words[event] : event;
}

function isNamed(words: EventWords, event: string): event is keyof EventWords {
  return Object.hasOwn(words, event);
}

export function useEventWords(): (event: string) => string {
  const { events } = useMessages('audit');
  return (event) => eventWords(events, event);
}
