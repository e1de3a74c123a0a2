import type { navigation as navigationEn, shell as shellEn } from '../en/shell.ts';

export const shell: typeof shellEn = {
  skip: 'Zum Inhalt',
  away: {
    database: {
      title: 'Die Datenbank antwortet nicht',
      help: 'Bis sie wieder da ist, kann nichts gelesen oder geändert werden. Laufende Aufträge gehen danach weiter.',
    },
    redis: {
      title: 'Redis antwortet nicht',
      help: 'Anmeldungen mit Passwort werden abgelehnt, und neue Aufträge beginnen, sobald es wieder da ist.',
    },
    registry: {
      title: 'Die eingebaute Registry antwortet nicht',
      help: 'Bis sie wieder da ist, lassen sich ihre Images weder auflisten noch holen oder hochladen.',
    },
    disk: {
      title: 'Der Datenträger ist fast voll',
      help: 'Pulls, Prüfungen und Pushes warten, bis wieder Platz ist. Administratoren schaffen ihn, indem sie bereitgestellte Images löschen und die Garbage Collection starten.',
    },
  },
  menu: 'Menü',
  mainNavigation: 'Hauptnavigation',
  administrator: 'Administration',
  sections: { settings: 'Einstellungen', operation: 'Betrieb' },
  schemes: { light: 'Hell', dark: 'Dunkel', auto: 'System' },
  language: 'Sprache',
  appearance: 'Darstellung',
  shortcuts: 'Tastaturkürzel',
  goTo: (place) => `Zu: ${place}`,
  searchHere: 'Auf dieser Seite suchen',
  showHelp: 'Diese Hilfe zeigen',
  after: 'dann',
  changePassword: 'Passwort ändern',
  signOut: 'Abmelden',
  loading: 'Lädt',
};

export const navigation: typeof navigationEn = {
  dashboard: 'Überblick',
  staging: 'Prüfbereich',
  images: 'Images',
  transfers: 'Übertragungen',
  registries: 'Registries',
  account: 'Mein Konto',
  users: 'Benutzer',
  groups: 'Gruppen',
  folders: 'Ordner und Rechte',
  scan: 'Prüfrichtlinie',
  signOn: 'Einmalanmeldung',
  network: 'Netz',
  audit: 'Audit-Protokoll',
  system: 'System',
};
