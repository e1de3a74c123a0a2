import { counter } from '../../../i18n/count.ts';
import type { vulnerabilities as english } from '../../en/vulnerabilities/vulnerabilities.ts';

const count = counter('de');

export const vulnerabilities: typeof english = {
  title: 'Schwachstellen',
  lead: 'Was die letzten Scans der Images mit Tag in der integrierten Registry gefunden haben.',
  search: 'Schwachstelle oder Paket',
  vulnerability: 'Schwachstelle',
  severity: 'Schweregrad',
  everySeverity: 'Alle Schweregrade',
  fix: 'Behoben in',
  fixes: { all: 'Mit oder ohne Korrektur', fixable: 'Mit Korrektur', unfixable: 'Ohne Korrektur' },
  fresh: 'Neu seit gestern',
  onlyExploited: 'Bekanntermaßen ausgenutzt',
  owners: 'Verantwortlich',
  packages: 'Pakete',
  package: 'Paket',
  images: 'Images',
  image: 'Image',
  verdict: 'Bewertung',
  firstSeen: 'Erstmals gesehen',
  noFix: 'noch keine Korrektur',
  fixedIn: (versions) => `behoben in ${versions}`,
  andMore: (n) => `und ${n} weitere`,
  imageCount: (n) => count(n, 'Image', 'Images'),
  inFolders: (n, folders) => `${count(n, 'Image', 'Images')} in ${folders}`,
  waiverCount: (n) => count(n, 'gültige Ausnahme', 'gültige Ausnahmen'),
  exploited: 'Ausgenutzt',
  exploitedHint: 'Im KEV-Katalog der Schwachstellen, die nachweislich ausgenutzt werden.',
  epss: (probability) => `EPSS: ${probability}`,
  epssHint: 'Wie wahrscheinlich es ist, dass sie innerhalb von 30 Tagen ausgenutzt wird.',
  more: 'Mehr anzeigen',
  emptyTitle: 'Keine Schwachstellen',
  emptyText:
    'Kein gescanntes Image hat welche, oder Sie dürfen die betroffenen Images nicht pullen.',
  noMatchTitle: 'Keine passenden Schwachstellen',
  noMatchText: 'Keine Schwachstelle Ihrer Images entspricht diesem Filter.',
  clear: 'Filter zurücksetzen',
  goneTitle: 'Nicht in Ihren Images',
  goneText:
    'Kein Image mit Tag, das Sie pullen dürfen, hat diese Schwachstelle: Sie müssen nichts aktualisieren. Images im Staging-Bereich zählen nicht mit.',
  showWaivers: 'Ausnahmen anzeigen',
  moreTags: (n) => count(n, 'weiterer Tag', 'weitere Tags'),
  allowedBy: (who, until) => `Erlaubt von ${who} bis ${until}`,
  removedAccount: 'einem gelöschten Konto',
};
