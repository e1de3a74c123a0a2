import { counter } from '../../../i18n/count.ts';
import type { imagePackages as english } from '../../en/comparison/image-packages.ts';

const count = counter('de');

export const imagePackages: typeof english = {
  title: 'Pakete',
  search: 'Name des Pakets',
  package: 'Paket',
  version: 'Version',
  licenses: 'Lizenzen',
  layer: 'Layer',
  layerNumber: (n) => `Layer ${n}`,
  ofLayer: (n) => `Pakete von Layer ${n}`,
  allLayers: 'Alle Layer anzeigen',
  count: (n) => count(n, 'Paket', 'Pakete'),
  noMatch: 'Keine passenden Pakete.',
  noneTitle: 'Keine Pakete',
  noneText: 'Der Scan hat in diesem Image keine Pakete gefunden.',
  missingTitle: 'Keine Paketliste',
  missingText: 'Sie wird gespeichert, wenn das Image gescannt wird.',
  more: 'Mehr anzeigen',
};
