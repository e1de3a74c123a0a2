import type { filters as filtersEn } from '../../en/lists/filters.ts';

export const filters: typeof filtersEn = {
  range: 'Quand',
  ranges: {
    hour: 'Dernière heure',
    day: 'Dernières 24 heures',
    week: '7 derniers jours',
    month: '30 derniers jours',
    all: 'N’importe quand',
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
};
