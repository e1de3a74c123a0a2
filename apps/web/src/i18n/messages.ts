/** What components write with: the messages of the page's language, and its numbers and times. */
import { createContext, use, useContext } from 'react';
import { bundleOf } from '../locales/bundles.ts';
import { loadBundle, type Messages } from './bundles.ts';
import { type Format, formatOf, localeOf } from './format.ts';
import type { Language } from './languages.ts';

export type { Messages } from './bundles.ts';
export type { Format } from './format.ts';

export const LanguageContext = createContext<Language>('en');

/**
 * Suspends until the messages are loaded. `use` is called in each render: React replays a suspended
 * component, and its later hooks fail where the replay leaves `use` out (React error 467).
 */
export function useMessages<N extends keyof Messages>(namespace: N): Messages[N] {
  const language = useContext(LanguageContext);
  const bundle = bundleOf(namespace);
  const messages: Partial<Messages> = use(loadBundle(language, bundle));
  const found: Messages[N] | undefined = messages[namespace];
  if (found === undefined) throw new Error(`no messages for ${namespace} in ${bundle}`);
  return found;
}

export function useFormat(): Format {
  return formatOf(localeOf(useContext(LanguageContext), navigator.languages));
}

/** Both: `const [t, format] = useWords('jobs')`. */
export function useWords<N extends keyof Messages>(namespace: N): [t: Messages[N], format: Format] {
  return [useMessages(namespace), useFormat()];
}
