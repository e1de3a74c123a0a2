import { chooser, counter } from '../../../i18n/count.ts';
import type { rowActs as rowActsEn } from '../../en/lists/row-acts.ts';

const count = counter('fr');
const choose = chooser('fr');

export const rowActs: typeof rowActsEn = {
  tags: (n) => `${count(n, 'tag va être supprimé', 'tags vont être supprimés')}.`,
  scan: 'Analyser',
  disable: 'Désactiver',
  enable: 'Réactiver',
  users: {
    disable: (n) => `${count(n, 'compte va être désactivé', 'comptes vont être désactivés')}.`,
    enable: (n) => `${count(n, 'compte va être réactivé', 'comptes vont être réactivés')}.`,
  },
  transfers: {
    cancel: (n) => `${count(n, 'transfert va être annulé', 'transferts vont être annulés')}.`,
    remove: (n) => `${count(n, 'transfert va être supprimé', 'transferts vont être supprimés')}.`,
  },
  schedules: {
    pauseLabel: 'Mettre en pause',
    resumeLabel: 'Reprendre',
    pause: (n) =>
      `${count(n, 'planification va être mise', 'planifications vont être mises')} en pause.`,
    resume: (n) =>
      `${count(n, 'planification va être reprise', 'planifications vont être reprises')}.`,
    title: (n) => `Supprimer ${count(n, 'planification', 'planifications')} ?`,
    text: 'Il n’y aura plus d’exécution. Les transferts passés sont conservés.',
    remove: (n) =>
      `${count(n, 'planification va être supprimée', 'planifications vont être supprimées')}.`,
  },
  images: {
    scans: (n) => `${count(n, 'analyse demandée', 'analyses demandées')}.`,
    scanTitle: (n) => `Analyser ${count(n, 'image', 'images')} ?`,
    scanText: 'Autant d’analyses occupent longtemps l’analyseur.',
    title: (n) => `Supprimer ${count(n, 'image', 'images')} ?`,
    text: 'La suppression inclut tous les tags de chaque image, pour tout le monde.',
    remove: (n) => `${count(n, 'image va être supprimée', 'images vont être supprimées')}.`,
  },
  groups: {
    title: (n) => `Supprimer ${count(n, 'groupe', 'groupes')} ?`,
    text: 'Les membres perdent immédiatement les droits correspondants. Les comptes sont conservés.',
    remove: (n) => `${count(n, 'groupe va être supprimé', 'groupes vont être supprimés')}.`,
  },
  robots: {
    disable: (n) =>
      `${count(n, 'robot va être désactivé et tous ses jetons révoqués', 'robots vont être désactivés et tous leurs jetons révoqués')}.`,
    enable: (n) => `${count(n, 'robot va être réactivé', 'robots vont être réactivés')}.`,
    title: (n) => `Supprimer ${count(n, 'robot', 'robots')} ?`,
    text: 'Les jetons, règles de confiance et jobs associés sont supprimés. Les pipelines concernés sont refusés immédiatement.',
    remove: (n) => `${count(n, 'robot va être supprimé', 'robots vont être supprimés')}.`,
  },
  trusts: {
    disable: (n) => `${count(n, 'règle va être désactivée', 'règles vont être désactivées')}.`,
    enable: (n) => `${count(n, 'règle va être réactivée', 'règles vont être réactivées')}.`,
    title: (n) => `Supprimer ${count(n, 'règle de confiance', 'règles de confiance')} ?`,
    text: 'Les pipelines qui se connectent ainsi sont refusés immédiatement.',
    remove: (n) => `${count(n, 'règle va être supprimée', 'règles vont être supprimées')}.`,
  },
  registries: {
    test: (n) =>
      `${count(n, 'registre est en cours de test', 'registres sont en cours de test')}. La liste affiche chaque résultat.`,
    title: (n) => `Supprimer ${count(n, 'registre', 'registres')} ?`,
    text: 'Les adresses et les identifiants enregistrés sont supprimés. Les transferts et planifications concernés échoueront. Les images ne sont pas supprimées.',
    remove: (n) => `${count(n, 'registre va être supprimé', 'registres vont être supprimés')}.`,
  },
  leftOut: (n) =>
    `${count(n, 'ligne sélectionnée est exclue', 'lignes sélectionnées sont exclues')} : vous n’êtes pas autorisé à ${choose(n, 'la', 'les')} supprimer.`,
  nothing: 'Aucune des lignes sélectionnées ne peut être modifiée ainsi.',
};
