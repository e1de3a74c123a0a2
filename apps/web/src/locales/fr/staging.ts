import { counter } from '../../i18n/count.ts';
import type { staging as stagingEn } from '../en/staging.ts';

const count = counter('fr');

export const staging: typeof stagingEn = {
  title: 'Zone de transit',
  lead: 'Les images en route vers la herse.',
  pull: 'Tirer une image',
  status: {
    pull_queued: 'En attente de tirage',
    pulling: 'Tirage',
    scan_queued: 'En attente d’analyse',
    scanning: 'Analyse',
    staged: 'À examiner',
    push_queued: 'En attente d’envoi',
    pushing: 'Envoi',
    pushed: 'Envoyée',
    failed: 'Échec',
    cancelled: 'Annulée',
  },
  image: 'Image',
  state: 'État',
  result: 'Verdict',
  updated: 'Modifiée',
  owner: 'Par',
  search: 'Image, étiquette ou empreinte',
  filters: {
    all: 'Toutes',
    running: 'En cours',
    review: 'À examiner',
    pushed: 'Envoyées',
    ended: 'Échouées',
  },
  filterLabel: 'Afficher',
  jobs: (n) => count(n, 'tâche', 'tâches'),
  more: 'Afficher plus',
  emptyTitle: 'Rien en transit',
  emptyText:
    'Tirez une image : elle est copiée ici, analysée, et attend votre décision. Rien n’atteint votre registre avant.',
  noMatchTitle: 'Aucune tâche ne correspond',
  noMatchText: 'Essayez d’autres mots ou un autre filtre.',
  clear: 'Effacer les filtres',
  left: (time) => `encore ${time}`,
  reused: (bytes) => `${bytes} réutilisés`,
  ofBytes: (done, total) => `${done} sur ${total}`,
  feed: {
    live: 'En direct',
    connecting: 'Connexion…',
    polling: 'Connexion perdue ; la page redemande régulièrement',
  },
};
