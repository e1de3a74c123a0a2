import { counter } from '../../../i18n/count.ts';

const count = counter('en');

export const imagePackages = {
  title: 'Packages',
  search: 'Package name',
  package: 'Package',
  version: 'Version',
  licenses: 'Licences',
  layer: 'Layer',
  layerNumber: (n: string) => `Layer ${n}`,
  ofLayer: (n: string) => `Packages of layer ${n}`,
  allLayers: 'Show all layers',
  count: (n: number) => count(n, 'package', 'packages'),
  noMatch: 'No matching packages.',
  noneTitle: 'No packages',
  noneText: 'The scan found no packages in this image.',
  missingTitle: 'No list of packages',
  missingText: 'It is stored when the image is scanned.',
  more: 'Show more',
};
