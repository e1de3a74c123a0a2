import { counter, numberIn } from '../../i18n/count.ts';
import type {
  dashboard as dashboardEn,
  setup as setupEn,
  start as startEn,
} from '../en/dashboard.ts';

const count = counter('de');
const number = numberIn('de');

export const dashboard: typeof dashboardEn = {
  title: 'Übersicht',
  asOf: (when) => `Stand: ${when}`,
  attention: 'Erfordert Aufmerksamkeit',
  allWell: 'Alles ist in Ordnung. Nichts erfordert Ihre Aufmerksamkeit.',
  wellButBlocked: (n) =>
    `${count(n, 'Image wurde', 'Images wurden')} seit gestern neu blockiert. Sonst erfordert nichts Ihre Aufmerksamkeit.`,
  kinds: {
    jobs_blocked: (n) => `${count(n, 'Image ist', 'Images sind')} durch die Richtlinie blockiert`,
    jobs_failed: (n) =>
      `${count(n, 'Job, der in den letzten 24 Stunden angefordert wurde, ist', 'Jobs, die in den letzten 24 Stunden angefordert wurden, sind')} fehlgeschlagen`,
    scanner_unavailable: () =>
      'Der Scanner ist nicht verfügbar. Neue Images können nicht gescannt werden',
    scanner_db_old: (_, age) =>
      `Die Schwachstellendatenbank ist ${age} alt. Neuere Schwachstellen werden nicht gefunden`,
    registry_unavailable: () => 'Die integrierte Registry antwortet nicht',
    disk_short: () =>
      'Der Datenträger ist fast voll. Pulls, Scans und Pushes warten auf freien Speicherplatz',
    disk_nearly_full: (n) => `Der Datenträger ist zu ${count(n, 'Prozent', 'Prozent')} voll`,
    events_lagging: (n) =>
      `${count(n, 'Audit-Ereignis wurde', 'Audit-Ereignisse wurden')} noch nicht an den Collector übermittelt`,
    gc_failed: () => 'Die letzte Garbage Collection ist fehlgeschlagen',
  },
  look: 'Anzeigen',
  repositories: 'Repositories',
  tags: (n) => count(n, 'Tag', 'Tags'),
  storage: 'Speicher',
  eachOnce: 'Jeder Blob einmal gezählt',
  free: (free, total) => `${free} von ${total} frei`,
  findings: 'Schwachstellen',
  fixable: (n) => `${count(n, 'ist', 'sind')} behebbar`,
  scannedOf: (scanned, total) =>
    `${number(scanned)} von ${count(total, 'Image', 'Images')} mit Tag gescannt`,
  noImages: 'Noch keine Images mit Tag',
  scanner: 'Schwachstellen-DB',
  scannerUpdated: 'Aktualisiert',
  scannerOff: 'Scanner deaktiviert',
  scannerAway: 'Scanner nicht verfügbar',
  accounts: 'Konten',
  accountsText: (admins, disabled) =>
    `${count(admins, 'Administrator', 'Administratoren')}, ${count(disabled, 'deaktiviert', 'deaktiviert')}`,
  jobs: 'Jobs der letzten 30 Tage',
  jobsSentence: (total, pushed, blocked, failed) =>
    `${count(total, 'Job', 'Jobs')}: ${count(pushed, 'gepusht', 'gepusht')}, ${count(blocked, 'blockiert', 'blockiert')}, ${count(failed, 'fehlgeschlagen', 'fehlgeschlagen')}.`,
  noJobs: 'Keine Jobs in den letzten 30 Tagen. Pullen Sie ein Image, um zu beginnen.',
  pull: 'Image pullen',
  series: { pushed: 'Gepusht', other: 'Andere', blocked: 'Blockiert', failed: 'Fehlgeschlagen' },
  day: 'Tag',
  total: 'Gesamt',
  asTable: 'Als Tabelle anzeigen',
  asChart: 'Als Diagramm anzeigen',
  bySeverity: 'Schwachstellen nach Schweregrad',
  bySeverityText: 'In Images mit Tag, nach ihrem letzten Scan.',
  noFindings: 'Keine Schwachstellen.',
  findingDays: 'Schwachstellen nach Scan-Datum',
  findingDaysSentence: (days, last, images, found) =>
    `Ergebnisse des letzten Scans jedes Images pro Tag. Scans an ${count(days, 'Tag', 'Tagen')} der letzten 30; zuletzt am ${last}: ${found} in ${count(images, 'Image', 'Images')}.`,
  found: (n) => count(n, 'Schwachstelle', 'Schwachstellen'),
  noScans: 'Keine Scans in den letzten 30 Tagen.',
  notScanned: 'Keine Scans an diesem Tag',
  images: 'Images',
  byFolder: 'Speicher nach Ordner',
  folder: 'Ordner',
  noFolder: 'Kein Ordner',
  size: 'Größe',
  noStorage: 'Es sind keine Images gespeichert, oder Sie haben keinen Zugriff darauf.',
  vulnerable: 'Images mit den meisten Schwachstellen',
  image: 'Image',
  scanned: 'Gescannt',
  noVulnerable: 'Keine Schwachstellen in gescannten Images.',
  largest: 'Größte Repositories',
  changes: 'Neu seit gestern',
  changesSentence: (blocked, cleared, found) =>
    `${count(blocked, 'Image ist', 'Images sind')} neu blockiert, ${count(cleared, 'ist', 'sind')} wieder zugelassen, ${count(found, 'Schwachstelle ist', 'Schwachstellen sind')} neu.`,
  andMore: (shown, more) => (more > 0 ? `${shown} und ${number(more)} weitere` : shown),
  inImages: (id, images) => `${id} (${count(images, 'Image', 'Images')})`,
  now: 'Jetzt',
  changed: 'Geändert',
  passes: 'Wieder zugelassen',
};

export const setup: typeof setupEn = {
  title: 'Portcullis einrichten',
  progress: (done, all) => `${number(done)} von ${count(all, 'Schritt', 'Schritten')} erledigt.`,
  hide: 'Diese Liste ausblenden',
  done: 'Erledigt',
  open: 'Offen',
  begin: 'Beginnen',
  steps: {
    scanner: {
      title: 'Scanner',
      text: 'Die Schwachstellendatenbank wird noch heruntergeladen, oder der Scanner antwortet nicht.',
    },
    policy: {
      title: 'Scan-Richtlinie',
      text: 'Wählen Sie die Schweregrade, die ein Image blockieren.',
    },
    group: {
      title: 'Gruppen',
      text: 'Erstellen Sie für jedes Team eine Gruppe.',
    },
    folder: {
      title: 'Ordner',
      text: 'Erstellen Sie für jedes Team einen Ordner und erteilen Sie seiner Gruppe Berechtigungen.',
    },
    account: {
      title: 'Konten',
      text: 'Erstellen Sie Konten oder aktivieren Sie Single Sign-on.',
    },
    registry: {
      title: 'Registries',
      text: 'Speichern Sie die Registries, aus denen gepullt oder in die gepusht wird. Für Docker Hub ist das nicht nötig.',
    },
  },
};

export const start: typeof startEn = {
  title: 'Willkommen bei Portcullis',
  lead: 'Portcullis pullt Container-Images, scannt sie und wendet Ihre Richtlinie an; nur was sie erfüllt, wird in Ihre Registry gepusht.',
  states: { open: 'Offen', waiting: 'Läuft', done: 'Erledigt' },
  pull: {
    title: 'Das erste Image pullen',
    text: 'Von Docker Hub, oder mit dem Host einer anderen Registry: registry.example.com/team/app:1.0',
    reference: 'Image',
    act: 'Pullen',
    more: 'Weitere Optionen',
    view: 'Im Staging-Bereich anzeigen',
  },
  registry: {
    title: 'Eine Registry verbinden',
    text: 'Um aus ihr zu pullen oder in sie zu pushen. Docker Hub und die integrierte Registry brauchen keine Einrichtung.',
    act: 'Registry hinzufügen',
  },
  samples: {
    title: 'Mit Beispieldaten ausprobieren',
    text: 'In einer lokalen Kopie des Repositorys startet dieser Befehl eine eigene Installation mit erfundenen Images und Schwachstellen. Sie braucht kein Internet.',
    copy: 'Befehl kopieren',
  },
  scanner: {
    ready: 'Der Scanner ist bereit.',
    off: 'Das Scannen ist ausgeschaltet.',
    failed: 'Der Scanner ist nicht verfügbar: Images, die jetzt gepullt werden, warten auf ihn.',
    pending: (minutes) =>
      `Erster Scan in etwa ${number(minutes)} Min. möglich. Images, die jetzt gepullt werden, warten darauf.`,
  },
};
