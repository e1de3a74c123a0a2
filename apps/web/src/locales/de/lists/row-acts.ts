import { counter } from '../../../i18n/count.ts';
import type { rowActs as rowActsEn } from '../../en/lists/row-acts.ts';

const count = counter('de');

export const rowActs: typeof rowActsEn = {
  tags: (n) => `${count(n, 'Tag wird', 'Tags werden')} gelöscht.`,
  scan: 'Scannen',
  disable: 'Deaktivieren',
  enable: 'Aktivieren',
  users: {
    disable: (n) => `${count(n, 'Konto wird', 'Konten werden')} deaktiviert.`,
    enable: (n) => `${count(n, 'Konto wird', 'Konten werden')} aktiviert.`,
  },
  transfers: {
    cancel: (n) => `${count(n, 'Übertragung wird', 'Übertragungen werden')} abgebrochen.`,
    remove: (n) => `${count(n, 'Übertragung wird', 'Übertragungen werden')} gelöscht.`,
  },
  nothing: 'Keine der ausgewählten Zeilen lässt sich so ändern.',
};
