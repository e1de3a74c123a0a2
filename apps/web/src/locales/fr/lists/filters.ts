import type { filters as filtersEn } from '../../en/lists/filters.ts';

export const filters: typeof filtersEn = {
  range: 'Période',
  ranges: {
    hour: 'Dernière heure',
    day: '24 dernières heures',
    week: '7 derniers jours',
    month: '30 derniers jours',
    all: 'Toutes les dates',
    own: 'Période personnalisée',
  },
  since: 'Début',
  until: 'Fin',
  saved: 'Filtres enregistrés',
  save: 'Enregistrer le filtre…',
  saveTitle: 'Enregistrer le filtre',
  name: 'Nom',
  whereKept: 'Il est conservé dans ce navigateur, pour votre compte.',
  saveAction: 'Enregistrer',
  remove: (name) => `Supprimer le filtre ${name}`,
  anyVerdict: 'Tous les verdicts',
  verdict: 'Verdict',
  owner: 'Demandée par',
  anyOwner: 'Tous les comptes',
  requested: 'Demandée',
  clear: 'Effacer les filtres',
  first: (n) => `Voici les ${n} premiers. Recherchez les autres par leur nom.`,
};
