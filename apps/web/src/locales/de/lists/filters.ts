import type { filters as filtersEn } from '../../en/lists/filters.ts';

export const filters: typeof filtersEn = {
  range: 'Zeitraum',
  ranges: {
    hour: 'Letzte Stunde',
    day: 'Letzte 24 Stunden',
    week: 'Letzte 7 Tage',
    month: 'Letzte 30 Tage',
    all: 'Gesamter Zeitraum',
    own: 'Benutzerdefiniert',
  },
  since: 'Beginn',
  until: 'Ende',
  saved: 'Gespeicherte Filter',
  save: 'Filter speichern…',
  saveTitle: 'Filter speichern',
  name: 'Name',
  whereKept: 'Er wird in diesem Browser für Ihr Konto gespeichert.',
  saveAction: 'Speichern',
  remove: (name) => `Filter ${name} löschen`,
  anyVerdict: 'Alle Bewertungen',
  verdict: 'Bewertung',
  owner: 'Angefordert von',
  anyOwner: 'Alle Konten',
  requested: 'Angefordert',
  clear: 'Filter zurücksetzen',
  first: (n) => `Dies sind die ersten ${n}. Suchen Sie andere über ihren Namen.`,
};
