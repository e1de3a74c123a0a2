import { counter } from '../../i18n/count.ts';
import type { staging as stagingEn } from '../en/staging.ts';

const count = counter('de');

export const staging: typeof stagingEn = {
  title: 'Prüfbereich',
  lead: 'Images auf dem Weg durchs Tor.',
  pull: 'Image holen',
  status: {
    pull_queued: 'Wartet aufs Holen',
    pulling: 'Wird geholt',
    scan_queued: 'Wartet auf die Prüfung',
    scanning: 'Wird geprüft',
    staged: 'Bereit zur Durchsicht',
    push_queued: 'Wartet auf den Push',
    pushing: 'Wird gepusht',
    pushed: 'Gepusht',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  image: 'Image',
  state: 'Stand',
  result: 'Urteil',
  updated: 'Geändert',
  owner: 'Von',
  search: 'Image, Tag oder Digest',
  filters: {
    all: 'Alle',
    running: 'Laufend',
    review: 'Zur Durchsicht',
    pushed: 'Gepusht',
    ended: 'Fehlgeschlagen',
  },
  filterLabel: 'Anzeigen',
  jobs: (n) => count(n, 'Auftrag', 'Aufträge'),
  more: 'Mehr zeigen',
  emptyTitle: 'Noch nichts im Prüfbereich',
  emptyText:
    'Holen Sie ein Image: Es wird hierher kopiert, geprüft und wartet auf Ihre Entscheidung. Vorher erreicht nichts Ihre Registry.',
  noMatchTitle: 'Kein Auftrag passt',
  noMatchText: 'Versuchen Sie andere Wörter oder einen anderen Filter.',
  clear: 'Filter zurücksetzen',
  left: (time) => `noch ${time}`,
  reused: (bytes) => `${bytes} wiederverwendet`,
  ofBytes: (done, total) => `${done} von ${total}`,
  feed: {
    live: 'Live',
    connecting: 'Verbindet…',
    polling: 'Verbindung verloren, fragt alle paar Sekunden nach',
  },
};
