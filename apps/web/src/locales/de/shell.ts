import { counter } from '../../i18n/count.ts';
import type { navigation as navigationEn, shell as shellEn } from '../en/shell.ts';

const count = counter('de');

export const shell: typeof shellEn = {
  skip: 'Zum Inhalt',
  sampleData: {
    title: 'Beispieldaten',
    help: 'Images, Schwachstellen und Konten sind erfunden. Nichts davon betrifft echte Software.',
  },
  away: {
    database: {
      title: 'Die Datenbank antwortet nicht',
      help: 'Bis sie wieder verfügbar ist, kann nichts gelesen oder geändert werden. Laufende Jobs werden danach fortgesetzt.',
    },
    redis: {
      title: 'Redis antwortet nicht',
      help: 'Die Anmeldung mit Passwort ist nicht möglich. Neue Jobs starten, sobald Redis wieder verfügbar ist.',
    },
    registry: {
      title: 'Die integrierte Registry antwortet nicht',
      help: 'Bis sie wieder verfügbar ist, können ihre Images nicht aufgelistet, gepullt oder gepusht werden.',
    },
    disk: {
      title: 'Der Datenträger ist fast voll',
      help: 'Pulls, Scans und Pushes warten auf freien Speicherplatz. Ein Administrator kann Platz schaffen, indem er Images im Staging-Bereich löscht und die Garbage Collection ausführt.',
    },
    JOBS_WAIT_FOR_DISK: {
      title: 'Jobs warten seit Längerem auf freien Speicherplatz',
      help: 'Ein Administrator kann Speicherplatz freigeben, indem er Images im Staging-Bereich löscht und die Garbage Collection ausführt, oder einen größeren Datenträger bereitstellen.',
    },
    REGISTRY_DISK_RESERVE: {
      title: 'Der Datenträger der integrierten Registry ist fast voll',
      help: 'Pushes dorthin warten auf freien Speicherplatz. Ein Administrator kann Images löschen und die Garbage Collection ausführen.',
    },
    DISK_UNWRITABLE: {
      title: 'Ein Worker kann nicht auf seinen Datenträger schreiben',
      help: 'Seine Jobs warten, bis der Datenträger wieder beschreibbar ist. Ein Administrator sollte den Datenträger und dessen Einbindung prüfen.',
    },
  },
  search: 'Suchen',
  searchAll: 'Alles durchsuchen',
  notifications: (n) =>
    n === 0 ? 'Benachrichtigungen' : `Benachrichtigungen, ${count(n, 'ungelesen')}`,
  menu: 'Menü',
  mainNavigation: 'Hauptnavigation',
  administrator: 'Administrator',
  sections: { settings: 'Einstellungen', operation: 'Betrieb' },
  schemes: { light: 'Hell', dark: 'Dunkel', auto: 'System' },
  language: 'Sprache',
  appearance: 'Darstellung',
  shortcuts: 'Tastenkürzel',
  goTo: (place) => `${place} öffnen`,
  searchHere: 'Auf dieser Seite suchen',
  showHelp: 'Diese Hilfe anzeigen',
  after: 'dann',
  changePassword: 'Passwort ändern',
  signOut: 'Abmelden',
  toReview: (n) => count(n, 'wartet auf Ihre Prüfung', 'warten auf Ihre Prüfung'),
  loading: 'Wird geladen',
};

export const navigation: typeof navigationEn = {
  dashboard: 'Übersicht',
  staging: 'Staging-Bereich',
  folderList: 'Ordner',
  images: 'Images',
  vulnerabilities: 'Schwachstellen',
  waivers: 'Ausnahmen',
  transfers: 'Übertragungen',
  registries: 'Registries',
  account: 'Mein Konto',
  users: 'Benutzer',
  groups: 'Gruppen',
  robots: 'Robots',
  folders: 'Berechtigungen',
  scan: 'Scan-Richtlinie',
  policies: 'Richtlinien',
  signOn: 'Single Sign-on',
  network: 'Netzwerk',
  webhooks: 'Webhooks',
  audit: 'Audit-Protokoll',
  system: 'System',
};
