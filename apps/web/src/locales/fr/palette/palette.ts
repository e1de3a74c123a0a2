import { counter } from '../../../i18n/count.ts';
import type { palette as paletteEn } from '../../en/palette/palette.ts';

const count = counter('fr');

export const palette: typeof paletteEn = {
  title: 'Rechercher partout',
  field: 'Images, jobs, vulnérabilités, pages…',
  close: 'Fermer la recherche',
  nothing: 'Aucun résultat. Essayez une partie d’un nom.',
  results: (n) => count(n, 'résultat', 'résultats'),
  tags: (n) => count(n, 'tag', 'tags'),
  disabled: 'Compte désactivé',
  newPull: 'Récupérer une image',
  newTransfer: 'Lancer un transfert',
  choice: (setting, value) => `${setting} : ${value}`,
  groups: {
    recent: 'Utilisés récemment',
    action: 'Pages et actions',
    image: 'Images du registre',
    job: 'Jobs de transit',
    vulnerability: 'Vulnérabilités',
    folder: 'Dossiers',
    person: 'Personnes',
  },
};
