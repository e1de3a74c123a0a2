/** Loads what a signed-in account sees before it is rendered. */
import type { Language } from '../i18n/languages.ts';
import { loadJobsMessages } from '../i18n/messages.ts';

const KEY = 'portcullis.signed-in';

export const importSignedIn = () => import('./signed-in.tsx');

/** A fault appears when it is rendered. */
export function loadSignedIn(language: Language): void {
  importSignedIn().catch(() => {});
  loadJobsMessages(language).catch(() => {});
}

/** A guess, without the server: whether the session is still there. */
export const wasSignedIn = (): boolean => localStorage.getItem(KEY) !== null;

export function rememberSession(here: boolean): void {
  if (here) localStorage.setItem(KEY, '1');
  else localStorage.removeItem(KEY);
}
