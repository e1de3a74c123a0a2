import { counter } from '../../../i18n/count.ts';
import type { bulk as bulkEn } from '../../en/lists/bulk.ts';

const count = counter('de');

export const bulk: typeof bulkEn = {
  bar: 'Ausgewählte Zeilen',
  selectEverything: (total) => `Alle ${total} passenden auswählen`,
  everything: (total) => `Alle ${total} passenden sind ausgewählt`,
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
  tagsPending: (n) => `${count(n, 'Tag wird', 'Tags werden')} gelöscht.`,
  scan: 'Scannen',
  disable: 'Sperren',
  enable: 'Entsperren',
  usersPending: {
    disable: (n) => `${count(n, 'Konto wird', 'Konten werden')} gesperrt.`,
    enable: (n) => `${count(n, 'Konto wird', 'Konten werden')} entsperrt.`,
  },
  transfersPending: {
    cancel: (n) => `${count(n, 'Transfer wird', 'Transfers werden')} abgebrochen.`,
    remove: (n) => `${count(n, 'Transfer wird', 'Transfers werden')} gelöscht.`,
  },
  partly: (done, left) =>
    `Ausgeführt: ${count(done, 'Zeile', 'Zeilen')}. Nicht ausgeführt: ${count(left, 'Zeile', 'Zeilen')}.`,
};
