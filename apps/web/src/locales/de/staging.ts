import { counter } from '../../i18n/count.ts';
import type { staging as stagingEn } from '../en/staging.ts';

const count = counter('de');

export const staging: typeof stagingEn = {
  title: 'Staging-Bereich',
  lead: 'Images werden hierher gepullt, gescannt und geprüft, bevor sie gepusht werden.',
  pull: 'Image pullen',
  blocked: 'Blockiert',
  status: {
    pull_queued: 'Wartet auf Pull',
    pulling: 'Wird gepullt',
    scan_queued: 'Wartet auf Scan',
    scanning: 'Wird gescannt',
    staged: 'Bereit zur Prüfung',
    push_queued: 'Wartet auf Push',
    pushing: 'Wird gepusht',
    pushed: 'Gepusht',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  image: 'Image',
  state: 'Zustand',
  result: 'Bewertung',
  created: 'Erstellt',
  owner: 'Angefordert von',
  search: 'Image, Tag oder Digest',
  filters: {
    all: 'Alle',
    running: 'Laufend',
    review: 'Zu prüfen',
    blocked: 'Blockiert',
    pushed: 'Gepusht',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  filterLabel: 'Anzeigen',
  jobs: (n) => count(n, 'Job', 'Jobs'),
  more: 'Mehr anzeigen',
  noRightsTitle: 'Sie haben noch keine Berechtigungen',
  noRights:
    'Berechtigungen erhalten Sie über Gruppen. Bitten Sie einen Administrator, Ihr Konto in eine aufzunehmen.',
  emptyTitle: 'Keine Images im Staging-Bereich',
  emptyText:
    'Pullen Sie ein Image. Es wird gescannt und wartet auf Ihre Prüfung, bevor es gepusht wird.',
  noMatchTitle: 'Keine passenden Jobs',
  noMatchText: 'Versuchen Sie eine andere Suche oder einen anderen Filter.',
  clear: 'Filter zurücksetzen',
  letThrough: (who) => `Durchgelassen von ${who}`,
  waived: (until) => `Durch Ausnahmen erlaubt bis ${until}`,
  left: (time) => `noch ${time}`,
  reused: (bytes) => `${bytes} wiederverwendet`,
  ofBytes: (done, total) => `${done} von ${total}`,
  feed: {
    live: 'Live',
    connecting: 'Wird verbunden…',
    polling: 'Verbindung unterbrochen. Wird alle paar Sekunden aktualisiert',
  },
};
