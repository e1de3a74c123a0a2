import type { session as sessionEn } from '../en/session.ts';

export const session: typeof sessionEn = {
  title: 'Anmelden',
  lead: 'Das Tor für Container-Images: geholt, geprüft, begutachtet, durchgelassen.',
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Anmelden',
  withProvider: (name) => `Mit ${name} anmelden`,
  or: 'oder',
  providerFailed: 'Die Anmeldung über den Identitätsanbieter ist gescheitert.',
  expired: 'Ihre Sitzung ist zu Ende',
  expiredText: 'Melden Sie sich wieder an, um weiterzumachen. Ihre Eingaben sind noch da.',
  goOn: 'Ich habe mich wieder angemeldet',
  other: 'Anderes Konto verwenden',
};
