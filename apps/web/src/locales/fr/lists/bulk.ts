import { counter } from '../../../i18n/count.ts';
import type { bulk as bulkEn } from '../../en/lists/bulk.ts';

const count = counter('fr');

export const bulk: typeof bulkEn = {
  bar: 'Lignes sélectionnées',
  selectEverything: (total) => `Sélectionner les ${total} lignes correspondantes`,
  everything: (total) => `Les ${total} lignes correspondantes sont sélectionnées`,
  clear: 'Effacer la sélection',
  cancel: 'Annuler',
  retry: 'Relancer',
  remove: 'Supprimer',
  undo: 'Revenir en arrière',
  pending: {
    delete: (n) => `${count(n, 'job va être supprimé', 'jobs vont être supprimés')}.`,
    cancel: (n) => `${count(n, 'job va être annulé', 'jobs vont être annulés')}.`,
    retry: (n) => `${count(n, 'job va être relancé', 'jobs vont être relancés')}.`,
  },
  partly: (done, left) =>
    `Effectué : ${count(done, 'ligne', 'lignes')}. Non effectué : ${count(left, 'ligne', 'lignes')}.`,
};
