import type { password as passwordEn } from '../en/password.ts';

export const password: typeof passwordEn = {
  title: 'Passwort ändern',
  forced: 'Wählen Sie ein eigenes Passwort, um weiterzumachen.',
  current: 'Aktuelles Passwort',
  wanted: 'Neues Passwort',
  hint: 'Mindestens 12 Zeichen; ein Satz ist gut.',
  again: 'Neues Passwort noch einmal',
  differ: 'Die beiden sind nicht gleich.',
  short: (missing) => `Noch ${missing}, bitte.`,
  submit: 'Passwort ändern',
  done: 'Ihr Passwort ist geändert.',
  signOut: 'Abmelden',
};
