import { counter } from '../../../i18n/count.ts';
import type { rowActs as rowActsEn } from '../../en/lists/row-acts.ts';

const count = counter('fr');

export const rowActs: typeof rowActsEn = {
  tags: (n) => `${count(n, 'tag va être supprimé', 'tags vont être supprimés')}.`,
  scan: 'Analyser',
  disable: 'Désactiver',
  enable: 'Réactiver',
  users: {
    disable: (n) => `${count(n, 'compte va être désactivé', 'comptes vont être désactivés')}.`,
    enable: (n) => `${count(n, 'compte va être réactivé', 'comptes vont être réactivés')}.`,
  },
  transfers: {
    cancel: (n) => `${count(n, 'transfert va être annulé', 'transferts vont être annulés')}.`,
    remove: (n) => `${count(n, 'transfert va être supprimé', 'transferts vont être supprimés')}.`,
  },
  nothing: 'Aucune des lignes sélectionnées ne peut être modifiée ainsi.',
};
