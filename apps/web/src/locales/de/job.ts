import { chooser, counter, numberIn } from '../../i18n/count.ts';
import type { findings as findingsEn, job as jobEn, push as pushEn } from '../en/job.ts';

const count = counter('de');
const choose = chooser('de');
const number = numberIn('de');

export const job: typeof jobEn = {
  upgrades: {
    title: 'Was die Blockierung aufheben würde',
    inBase: 'Im Basis-Image: auf einem neueren aufbauen',
    inOwn: 'In den eigenen Layern',
    clears: (n) => `behebt ${count(n, 'Schwachstelle', 'Schwachstellen')}`,
    more: (n) => `und ${count(n, 'weiteres Paket', 'weitere Pakete')}`,
    unfixed: (n, names) =>
      `Noch keine Korrektur für ${count(n, 'Schwachstelle', 'Schwachstellen')}, etwa ${names}: Nur eine Ausnahme erlaubt den Push.`,
  },
  openImage: 'Image öffnen, mit seinen Pull-Befehlen',
  back: 'Staging-Bereich',
  push: 'Pushen…',
  pushAgain: 'Erneut pushen…',
  more: 'Weitere Aktionen',
  cancel: 'Abbrechen',
  retry: 'Wiederholen',
  rescan: 'Erneut scannen',
  remove: 'Löschen',
  removed: (image) => `${image} wurde gelöscht.`,
  summary: {
    waiting: 'Wartet auf einen freien Worker.',
    pulling: (host) => `Wird von ${host} gepullt. Der Scan startet automatisch.`,
    scanning: 'Das Image wird gescannt.',
    findings: (found, blocking) =>
      `${found}. Keine davon wird durch die Richtlinie blockiert (${blocking}).`,
    earlier: (at) =>
      `Der Scan vom ${at} ist fehlgeschlagen. Angezeigt werden die Ergebnisse des vorherigen Scans.`,
    artifact: (type) =>
      `Das ist kein Container-Image, sondern ein Artefakt (${type}), etwa ein Helm-Chart. Artefakte werden nicht gescannt; die Richtlinie entscheidet, ob sie gepusht werden dürfen.`,
    blocked: (blocking, fixable) =>
      `Die Scan-Richtlinie blockiert dieses Image: ${blocking}. ${fixable}`,
    noFix: 'Es ist noch keine Korrektur verfügbar.',
    fixable: (fixable, total) =>
      `${number(fixable)} von ${number(total)} ${choose(fixable, 'lässt', 'lassen')} sich durch ein Update beheben.`,
    failed: 'So weit kam der Job nicht.',
    cancelled: 'Der Job wurde abgebrochen.',
    atSource: (text) => `An der Quelle: ${text}`,
    atTarget: (text) => `Am Ziel: ${text}`,
  },
  facts: 'Details',
  stagedImage: 'Image im Staging-Bereich',
  imageReleased: (time: string) =>
    `vom Datenträger entfernt ${time}; ein Push liest es erneut von der Quelle`,
  digest: 'Digest',
  size: 'Größe',
  platforms: 'Plattformen',
  all: 'Alle',
  owner: 'Angefordert von',
  requestId: 'Anfrage-ID',
  scanner: 'Scanner',
  database: 'Schwachstellen-DB',
  os: 'Betriebssystem',
  eosl: 'Support beendet',
  overrides: 'Abweichungen von der Richtlinie',
  noScan: 'kein Scan',
  blocks: (list) => `blockiert ${list}`,
  timeline: 'Verlauf',
  to: (place) => `nach ${place}`,
  left: (names: string, more: number) =>
    more > 0
      ? `${names} und ${more} weitere konnten nicht kopiert werden`
      : `${names} konnte nicht kopiert werden`,
  event: {
    scan_disabled: 'Das Scannen ist deaktiviert.',
    scan_reused:
      'Nicht erneut gescannt: Dasselbe Image wurde bereits vom selben Scanner mit derselben Schwachstellendatenbank gescannt.',
    layers_missing:
      'Der Scan benötigt Layer, die an der Quelle geblieben sind. Sie werden heruntergeladen.',
    storage_lost:
      'Der Speicher des Workers, der das Image gepullt hatte, ist nicht mehr vorhanden. Das Image wird erneut gepullt.',
    database_newer:
      'Die Schwachstellendatenbank ist neuer als der Scan. Das Image wird vor dem Push erneut gescannt.',
    policy_changed:
      'Die Scan-Richtlinie wurde nach dem Scan geändert. Die Bewertung wurde aktualisiert.',
    worker_stopped: 'Der Worker wurde gestoppt. Ein anderer Worker macht weiter.',
    preempted:
      'Wartet wieder, damit Jobs anderer Konten laufen können. Der Job wird dort fortgesetzt, wo er unterbrochen wurde.',
    retried: 'Wiederholt.',
    java_index_arrived: 'Erneut gescannt: Der Java-Index ist jetzt verfügbar.',
    image_released:
      'Das Image wurde vom Datenträger des Workers entfernt. Bei Bedarf wird es erneut von seiner Quelle gelesen.',
  },
  letThrough: (who) => `Durchgelassen aufgrund des Rechts von ${who}. `,
  pushedAnyway: 'Durchgelassen',
  pushes: 'Pushes',
  pushStatus: {
    queued: 'Wartet',
    running: 'Läuft',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  mounted: (bytes) => `${bytes} bereits vorhanden`,
  report: 'Bericht herunterladen',
  allPlatforms: 'Alle Plattformen',
};

export const push: typeof pushEn = {
  title: 'Image pushen',
  to: 'Nach',
  targets: {
    local: 'Integrierte Registry',
    saved: 'Gespeicherte Registry',
    host: 'Andere Registry',
  },
  folder: 'Ordner',
  noFolder: 'Kein Ordner (Name unten angeben)',
  noFolders:
    'Sie dürfen in keinen Ordner pushen. Bitten Sie einen Administrator um die Berechtigung „Pushen“ für einen Ordner.',
  registry: 'Registry',
  host: 'Host',
  username: 'Benutzername',
  password: 'Passwort oder Token',
  image: 'Image',
  tag: 'Tag',
  destination: 'Ziel',
  asking: 'Wird geprüft…',
  incomplete: 'Geben Sie ein Ziel ein.',
  allowed: 'Sie dürfen hierhin pushen.',
  bypassed: 'Nur, weil Sie blockierte Images pushen dürfen.',
  refused: 'Sie dürfen nicht hierhin pushen.',
  byPolicy: (name) => `Es entscheidet die Richtlinie ${name}.`,
  byDefaultPolicy: 'Es entscheidet die Standardrichtlinie.',
  fixedIn: (version) => `behoben in ${version}`,
  noFix: 'keine Korrektur verfügbar',
  moreFindings: (count) => `und ${count} weitere`,
  waived: (until) => `Durch Ausnahmen erlaubt bis ${until}.`,
  decides: (folder) => `Es gelten die Berechtigungen des Ordners ${folder}.`,
  decidesRoot: 'Das Repository liegt in keinem Ordner: Es gelten die Berechtigungen ohne Ordner.',
  folderPick: 'Ordner auswählen',
  nothingThere: 'Dieser Tag existiert noch nicht.',
  sameThere: 'Dasselbe Image ist dort bereits vorhanden.',
  replaces: 'Dieser Tag existiert und wird ersetzt:',
  bypass:
    'Die Scan-Richtlinie blockiert dieses Image. Ihr Konto darf es trotzdem pushen; der Grund wird mit dem Push und im Audit-Protokoll festgehalten.',
  bypassReason: 'Warum darf dieses Image durch?',
  submit: 'Pushen',
  cancel: 'Abbrechen',
};

export const findings: typeof findingsEn = {
  title: 'Schwachstellen',
  search: 'CVE, Paket oder Pfad',
  fixable: 'Nur behebbare',
  exploited: 'Nur ausgenutzte',
  onlyNew: (count) => `Nur neue (${count})`,
  new: 'Neu',
  newHint: 'Vom vorherigen Scan nicht gefunden',
  previous: 'Vorheriger Scan:',
  previousTag: (tag) => `Vorheriger Scan (Image mit dem Tag ${tag}):`,
  noPrevious:
    'Nichts ist als neu markiert: Es gibt keinen früheren Scan dieses Images, mit dem Sie vergleichen können.',
  sort: 'Reihenfolge',
  orders: {
    severity: 'Schwerste zuerst',
    cvss: 'Höchster CVSS-Wert zuerst',
    epss: 'Wahrscheinlichste Ausnutzung zuerst',
    package: 'Nach Paket',
    fix: 'Mit Korrektur zuerst',
  },
  groupBy: 'Gruppieren nach',
  groups: { vulnerability: 'Schwachstelle', package: 'Paket' },
  shown: (shown, total) => `${shown} von ${total}`,
  none: 'Keine passenden Schwachstellen',
  noneText: 'Versuchen Sie eine andere Suche oder einen anderen Filter.',
  clear: 'Filter zurücksetzen',
  installed: 'Installiert',
  fixed: 'Behoben in',
  noFix: 'keine Korrektur verfügbar',
  rating: 'Schweregrad',
  ratedBy: (severity, source) => `${severity} (laut ${source})`,
  place: 'Gefunden in',
  layer: 'Layer',
  onlyLayer: 'Nur dieser Layer',
  layerOf: (digest) => `Layer ${digest}`,
  allLayers: 'Alle Layer anzeigen',
  platform: 'Plattform',
  status: 'Status',
  score: (score) => `CVSS ${score}`,
  more: (n) => `und ${n} weitere`,
  moreLinks: 'Mehr anzeigen',
  advisory: 'Sicherheitshinweis anzeigen',
};
