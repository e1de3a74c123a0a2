import { counter } from '../../../i18n/count.ts';
import type { imagePackages as english } from '../../en/comparison/image-packages.ts';

const count = counter('fr');

export const imagePackages: typeof english = {
  title: 'Paquets',
  search: 'Nom du paquet',
  package: 'Paquet',
  version: 'Version',
  licenses: 'Licences',
  layer: 'Couche',
  layerNumber: (n) => `Couche ${n}`,
  ofLayer: (n) => `Paquets de la couche ${n}`,
  allLayers: 'Afficher toutes les couches',
  count: (n) => count(n, 'paquet', 'paquets'),
  noMatch: 'Aucun paquet correspondant.',
  noneTitle: 'Aucun paquet',
  noneText: 'L’analyse n’a trouvé aucun paquet dans cette image.',
  missingTitle: 'Aucune liste de paquets',
  missingText: 'Elle est enregistrée lors de l’analyse de l’image.',
  more: 'Afficher plus',
};
