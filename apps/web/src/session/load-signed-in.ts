/** Loads what a signed-in account sees before it is rendered. */

import { loadMessagesOf } from '../i18n/bundles.ts';
import type { Language } from '../i18n/languages.ts';

const KEY = 'portcullis.signed-in';

/** The frame of all pages, once the words of the page in it are loaded as well. */
export async function loadSignedIn(language: Language, pathname: string) {
  const [{ SignedIn }] = await Promise.all([
    import('./signed-in.tsx'),
    loadMessagesOf(pathname, language),
  ]);
  return SignedIn;
}

/** A guess, without the server: whether the session is still there. */
export const wasSignedIn = (): boolean => localStorage.getItem(KEY) !== null;

export function rememberSession(here: boolean): void {
  if (here) localStorage.setItem(KEY, '1');
  else localStorage.removeItem(KEY);
}
