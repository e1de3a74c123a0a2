import { counter } from '../../i18n/count.ts';
import type { staging as stagingEn } from '../en/staging.ts';

const count = counter('fr');

export const staging: typeof stagingEn = {
  title: 'Zone de transit',
  lead: 'Les images sont récupérées ici, analysées et examinées avant d’être poussées.',
  pull: 'Récupérer une image',
  blocked: 'Bloquée',
  status: {
    pull_queued: 'En attente de récupération',
    pulling: 'Récupération en cours',
    scan_queued: 'En attente d’analyse',
    scanning: 'Analyse en cours',
    staged: 'À examiner',
    push_queued: 'En attente de push',
    pushing: 'Push en cours',
    pushed: 'Poussée',
    failed: 'Échec',
    cancelled: 'Annulée',
  },
  image: 'Image',
  state: 'État',
  result: 'Verdict',
  created: 'Créée',
  owner: 'Demandée par',
  search: 'Image, tag ou digest',
  filters: {
    all: 'Toutes',
    running: 'En cours',
    review: 'À examiner',
    blocked: 'Bloquées',
    pushed: 'Poussées',
    failed: 'Échouées',
    cancelled: 'Annulées',
  },
  filterLabel: 'Afficher',
  jobs: (n) => count(n, 'job', 'jobs'),
  more: 'Afficher plus',
  noRightsTitle: 'Vous n’avez pas encore de droits',
  noRights:
    'Les droits viennent des groupes. Demandez à un administrateur d’ajouter votre compte à l’un d’eux.',
  emptyTitle: 'Aucune image en transit',
  emptyText: 'Récupérez une image. Elle est analysée et attend votre examen avant d’être poussée.',
  noMatchTitle: 'Aucun job correspondant',
  noMatchText: 'Essayez une autre recherche ou un autre filtre.',
  clear: 'Effacer les filtres',
  letThrough: (who) => `Push autorisé par ${who} malgré le blocage`,
  waived: (until) => `Autorisée par des dérogations jusqu’au ${until}`,
  left: (time) => `encore ${time}`,
  reused: (bytes) => `${bytes} réutilisés`,
  ofBytes: (done, total) => `${done} sur ${total}`,
  feed: {
    live: 'En direct',
    connecting: 'Connexion…',
    polling: 'Connexion perdue. Actualisation toutes les quelques secondes',
  },
};
