import { counter } from '../../../i18n/count.ts';
import type { retention as english } from '../../en/folders/retention.ts';

const count = counter('fr');

export const retention: typeof english = {
  title: 'Rétention',
  none: 'Tous les tags sont conservés.',
  keeps: (what) => `Conserve ${what}. Tous les autres tags sont supprimés une fois par jour.`,
  newestTags: (n) =>
    n === 1
      ? 'le tag le plus récent de chaque dépôt'
      : `les ${count(n, 'tag le plus récent', 'tags les plus récents')} de chaque dépôt`,
  tagsOfDays: (n) =>
    n === 1
      ? 'les tags du dernier jour'
      : `les tags des ${count(n, 'dernier jour', 'derniers jours')}`,
  matchingTags: (globs) => `les tags qui correspondent à ${globs}`,
  change: 'Modifier',
  running: (removed) =>
    `Une exécution est en cours : ${count(removed, 'tag supprimé', 'tags supprimés')} jusqu’ici.`,
  lastRun: 'Dernière exécution',
  lastRunFailed: 'La dernière exécution a échoué',
  result: (removed, kept) =>
    `${count(removed, 'tag supprimé', 'tags supprimés')}, ${count(kept, 'tag conservé', 'tags conservés')}.`,
  failed: (n) =>
    `${count(n, 'suppression de tag a échoué', 'suppressions de tags ont échoué')} ; le journal d’audit indique pourquoi.`,
  runNow: 'Exécuter maintenant…',
  runTitle: 'Supprimer des tags maintenant ?',
  runAction: 'Supprimer les tags',
  started: 'Les tags sont en cours de suppression.',
  dialogTitle: 'Rétention des tags',
  removes: 'Supprimer les anciens tags',
  removesHint:
    'Une fois par jour, la première fois une à deux heures après l’enregistrement. Un tag qui remplit l’une de ces conditions est conservé.',
  keepNewest: 'Nombre de tags les plus récents à conserver',
  keepNewestHint: 'Dans chaque dépôt, d’après le dernier push. Vide : leur nombre ne compte pas.',
  keepDays: 'Durée de conservation en jours',
  keepDaysHint: 'Après le dernier push d’un tag. Vide : leur âge ne compte pas.',
  keep: 'Tags toujours conservés',
  keepHint:
    'Des motifs, comme v* pour tous les tags qui commencent par v. Les tags immuables sont conservés aussi.',
  incompleteRule: 'Indiquez un nombre de tags, un nombre de jours, ou les deux.',
  effect:
    'Les signatures sont supprimées avec le dernier tag de leur image. L’espace est libéré par le prochain nettoyage du registre.',
  preview: 'Aperçu',
  removesNothing: (kept) =>
    `Ne supprimerait rien maintenant : ${count(kept, 'tag conservé', 'tags conservés')}.`,
  wouldRemove: (removed, kept, repositories) =>
    `Supprimerait ${count(removed, 'tag', 'tags')} maintenant et conserverait ${count(kept, 'tag', 'tags')} dans ${count(repositories, 'dépôt', 'dépôts')}.`,
  more: (n) => `et ${count(n, 'autre tag', 'autres tags')}`,
  incomplete: 'Le dossier est grand : tous les dépôts ne sont pas comptés.',
  saved: 'La rétention a été enregistrée.',
};
