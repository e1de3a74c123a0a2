import { counter } from '../../../i18n/count.ts';
import type { table as tableEn } from '../../en/lists/table.ts';

const count = counter('fr');

export const table: typeof tableEn = {
  select: (name) => `Sélectionner ${name}`,
  selectAll: 'Sélectionner toutes les lignes chargées',
  selected: (n) => count(n, 'ligne sélectionnée', 'lignes sélectionnées'),
};
