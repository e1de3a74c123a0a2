import { counter } from '../../../i18n/count.ts';
import type { bulk as bulkEn } from '../../en/lists/bulk.ts';

const count = counter('de');

export const bulk: typeof bulkEn = {
  bar: 'Ausgewählte Zeilen',
  selectEverything: (total) => `Alle ${total} Treffer auswählen`,
  everything: (total) => `Alle ${total} Treffer sind ausgewählt`,
  clear: 'Auswahl aufheben',
  cancel: 'Abbrechen',
  retry: 'Wiederholen',
  remove: 'Löschen',
  undo: 'Rückgängig',
  pending: {
    delete: (n) => `${count(n, 'Job wird', 'Jobs werden')} gelöscht.`,
    cancel: (n) => `${count(n, 'Job wird', 'Jobs werden')} abgebrochen.`,
    retry: (n) => `${count(n, 'Job wird', 'Jobs werden')} wiederholt.`,
  },
  partly: (done, left) =>
    `Ausgeführt: ${count(done, 'Zeile', 'Zeilen')}. Nicht ausgeführt: ${count(left, 'Zeile', 'Zeilen')}.`,
};
