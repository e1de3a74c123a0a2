import type { session as sessionEn } from '../en/session.ts';

export const session: typeof sessionEn = {
  title: 'Anmelden',
  lead: 'Container-Images pullen, scannen, prüfen und pushen.',
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Anmelden',
  withProvider: (name) => `Mit ${name} anmelden`,
  or: 'oder',
  expired: 'Ihre Sitzung ist abgelaufen',
  expiredText: 'Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  goOn: 'Ich habe mich angemeldet',
  other: 'Anderes Konto verwenden',
};
