import { counter } from '../../../i18n/count.ts';
import type { table as tableEn } from '../../en/lists/table.ts';

const count = counter('de');

export const table: typeof tableEn = {
  select: (name) => `${name} auswählen`,
  selectAll: 'Alle geladenen Zeilen auswählen',
  selected: (n) => `${count(n, 'Zeile', 'Zeilen')} ausgewählt`,
};
