import { counter } from '../../i18n/count.ts';
import type { dashboard as dashboardEn } from '../en/dashboard.ts';

const count = counter('de');

export const dashboard: typeof dashboardEn = {
  title: 'Überblick',
  asOf: (when) => `Stand: ${when}`,
  attention: 'Braucht jetzt Aufmerksamkeit',
  allWell: 'Gerade ist nichts zu tun.',
  kinds: {
    jobs_blocked: (n) => `${count(n, 'Image wartet', 'Images warten')} hinter geschlossenem Tor`,
    jobs_failed: (n) => `${count(n, 'Auftrag ist', 'Aufträge sind')} gescheitert`,
    scanner_unavailable: () => 'Der Scanner ist nicht verfügbar: Neues kann nicht beurteilt werden',
    scanner_db_old: (_, age) => `Die Datenbank des Scanners ist ${age} alt: Neueres entgeht ihm`,
    registry_unavailable: () => 'Die eingebaute Registry antwortet nicht',
    disk_short: () => 'Der Datenträger ist fast voll: Pulls, Prüfungen und Pushes warten auf Platz',
    disk_nearly_full: (n) => `Der Datenträger ist zu ${count(n, 'Prozent', 'Prozent')} voll`,
    events_lagging: (n) =>
      `${count(n, 'Audit-Ereignis wartet', 'Audit-Ereignisse warten')} auf einen Sammler, der sie nicht nimmt`,
    gc_failed: () => 'Die letzte Speicherbereinigung ist gescheitert',
  },
  look: 'Ansehen',
  repositories: 'Repositories',
  tags: (n) => count(n, 'Tag', 'Tags'),
  storage: 'Speicher',
  eachOnce: 'jeder Blob einmal gezählt',
  free: (free, total) => `${free} von ${total} frei`,
  findings: 'Offene Befunde',
  fixable: (n) => `${count(n, 'ist', 'sind')} behebbar`,
  scannedOf: (scanned, total) => `${scanned} von ${total} Images mit Tag geprüft`,
  noImages: 'Noch kein Image mit Tag',
  scanner: 'Datenbank des Scanners',
  scannerOff: 'ausgeschaltet',
  scannerAway: 'nicht verfügbar',
  accounts: 'Konten',
  accountsText: (admins, disabled) =>
    `${count(admins, 'Administrator', 'Administratoren')}, ${count(disabled, 'gesperrt', 'gesperrt')}`,
  jobs: 'Aufträge der letzten 30 Tage',
  jobsSentence: (total, pushed, blocked, failed) =>
    `${count(total, 'Auftrag', 'Aufträge')}: ${count(pushed, 'gepusht', 'gepusht')}, ${count(blocked, 'gesperrt', 'gesperrt')}, ${count(failed, 'gescheitert', 'gescheitert')}.`,
  noJobs: 'Kein Auftrag in 30 Tagen. Holen Sie ein Image, um zu beginnen.',
  pull: 'Image holen',
  series: { pushed: 'Gepusht', other: 'Andere', blocked: 'Gesperrt', failed: 'Fehlgeschlagen' },
  day: 'Tag',
  total: 'Alle',
  asTable: 'Als Tabelle',
  asChart: 'Als Diagramm',
  bySeverity: 'Befunde nach Schwere',
  bySeverityText: 'Von Images mit Tag, nach ihrer neuesten Prüfung.',
  noFindings: 'Keine Befunde.',
  findingDays: 'Befunde nach Tag der Prüfung',
  findingDaysSentence: (days, last, images, found) =>
    `Was die Prüfungen jedes Tages fanden, jedes Image nach seiner letzten des Tages. Prüfungen an ${count(days, 'Tag', 'Tagen')} von 30; zuletzt am ${last}: ${found} in ${count(images, 'Image', 'Images')}.`,
  found: (n) => count(n, 'Befund', 'Befunde'),
  noScans:
    'In 30 Tagen keine Prüfung Ihrer Aufträge oder von Images mit Tag, die Sie holen dürfen.',
  images: 'Images',
  byFolder: 'Speicher nach Ordner',
  folder: 'Ordner',
  noFolder: 'Ohne Ordner',
  size: 'Größe',
  noStorage: 'Noch ist nichts gespeichert, oder nichts, das Sie sehen dürfen.',
  vulnerable: 'Verwundbarste Images',
  image: 'Image',
  scanned: 'Geprüft',
  noVulnerable: 'Kein geprüftes Image hat einen Befund.',
  largest: 'Größte Repositories',
};
