import { counter } from '../../../i18n/count.ts';
import type { vulnerabilities as english } from '../../en/vulnerabilities/vulnerabilities.ts';

const count = counter('fr');

export const vulnerabilities: typeof english = {
  title: 'Vulnérabilités',
  lead: 'Ce que les dernières analyses ont trouvé dans les images taguées du registre intégré.',
  search: 'Vulnérabilité ou paquet',
  vulnerability: 'Vulnérabilité',
  severity: 'Gravité',
  everySeverity: 'Toutes les gravités',
  fix: 'Corrigée dans',
  fixes: { all: 'Avec ou sans correctif', fixable: 'Avec correctif', unfixable: 'Sans correctif' },
  fresh: 'Nouvelles depuis hier',
  onlyExploited: 'Exploitation connue',
  owners: 'Responsables',
  packages: 'Paquets',
  package: 'Paquet',
  images: 'Images',
  image: 'Image',
  verdict: 'Verdict',
  firstSeen: 'Première détection',
  noFix: 'pas encore de correctif',
  fixedIn: (versions) => `corrigée dans ${versions}`,
  andMore: (n) => `et ${n} de plus`,
  imageCount: (n) => count(n, 'image', 'images'),
  inFolders: (n, folders) => `${count(n, 'image', 'images')} dans ${folders}`,
  waiverCount: (n) => `${count(n, 'dérogation', 'dérogations')} en vigueur`,
  exploited: 'Exploitée',
  exploitedHint: 'Dans le catalogue KEV des vulnérabilités dont l’exploitation est connue.',
  epss: (probability) => `EPSS : ${probability}`,
  epssHint: 'La probabilité qu’elle soit exploitée dans les 30 jours.',
  more: 'Afficher plus',
  emptyTitle: 'Aucune vulnérabilité',
  emptyText:
    'Aucune image analysée n’en a, ou vous n’avez pas le droit de récupérer les images concernées.',
  noMatchTitle: 'Aucun résultat',
  noMatchText: 'Aucune vulnérabilité de vos images ne correspond à ce filtre.',
  clear: 'Effacer les filtres',
  goneTitle: 'Absente de vos images',
  goneText:
    'Aucune image taguée que vous pouvez récupérer n’a cette vulnérabilité : il n’y a rien à mettre à jour. Les images de la zone de transit ne sont pas comptées.',
  showWaivers: 'Afficher les dérogations',
  moreTags: (n) => count(n, 'autre tag', 'autres tags'),
  allowedBy: (who, until) => `Autorisée par ${who} jusqu’au ${until}`,
  removedAccount: 'un compte supprimé',
};
