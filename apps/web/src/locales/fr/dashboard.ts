import { counter } from '../../i18n/count.ts';
import type { dashboard as dashboardEn } from '../en/dashboard.ts';

const count = counter('fr');

export const dashboard: typeof dashboardEn = {
  title: 'Vue d’ensemble',
  asOf: (when) => `État : ${when}`,
  attention: 'À voir maintenant',
  allWell: 'Rien ne vous attend pour l’instant.',
  kinds: {
    jobs_blocked: (n) =>
      `${count(n, 'image attend', 'images attendent')} derrière la herse baissée`,
    jobs_failed: (n) => `${count(n, 'tâche a', 'tâches ont')} échoué`,
    scanner_unavailable: () =>
      'L’analyseur n’est pas disponible : rien de nouveau ne peut être jugé',
    scanner_db_old: (_, age) => `La base de l’analyseur a ${age} : le plus récent lui échappe`,
    registry_unavailable: () => 'Le registre intégré ne répond pas',
    disk_short: () =>
      'Le disque est presque plein : pulls, analyses et pushs attendent de la place',
    disk_nearly_full: (n) => `Le disque est plein à ${count(n, 'pour cent', 'pour cent')}`,
    events_lagging: (n) =>
      `${count(n, 'événement d’audit attend', 'événements d’audit attendent')} un collecteur qui ne les prend pas`,
    gc_failed: () => 'Le dernier nettoyage du registre a échoué',
  },
  look: 'Voir',
  repositories: 'Dépôts',
  tags: (n) => count(n, 'étiquette', 'étiquettes'),
  storage: 'Stockage',
  eachOnce: 'chaque blob compté une fois',
  free: (free, total) => `${free} libres sur ${total}`,
  findings: 'Vulnérabilités ouvertes',
  fixable: (n) => `${count(n, 'a', 'ont')} un correctif`,
  scannedOf: (scanned, total) => `${scanned} images étiquetées analysées sur ${total}`,
  noImages: 'Pas encore d’image étiquetée',
  scanner: 'Base de l’analyseur',
  scannerOff: 'désactivé',
  scannerAway: 'pas disponible',
  accounts: 'Comptes',
  accountsText: (admins, disabled) =>
    `${count(admins, 'administrateur', 'administrateurs')}, ${count(disabled, 'désactivé', 'désactivés')}`,
  jobs: 'Tâches des 30 derniers jours',
  jobsSentence: (total, pushed, blocked, failed) =>
    `${count(total, 'tâche', 'tâches')} : ${count(pushed, 'envoyée', 'envoyées')}, ${count(blocked, 'bloquée', 'bloquées')}, ${count(failed, 'échouée', 'échouées')}.`,
  noJobs: 'Aucune tâche en 30 jours. Tirez une image pour commencer.',
  pull: 'Tirer une image',
  series: { pushed: 'Envoyées', other: 'Autres', blocked: 'Bloquées', failed: 'Échouées' },
  day: 'Jour',
  total: 'Toutes',
  asTable: 'En tableau',
  asChart: 'En graphique',
  bySeverity: 'Vulnérabilités par gravité',
  bySeverityText: 'Des images étiquetées, selon leur dernière analyse.',
  noFindings: 'Aucune vulnérabilité.',
  findingDays: 'Vulnérabilités par jour d’analyse',
  findingDaysSentence: (days, last, images, found) =>
    `Ce que les analyses de chaque jour ont trouvé, chaque image selon sa dernière du jour. Analyses ${count(days, 'jour', 'jours')} sur 30 ; la dernière fois, le ${last} : ${found} dans ${count(images, 'image', 'images')}.`,
  found: (n) => count(n, 'vulnérabilité', 'vulnérabilités'),
  noScans:
    'Aucune analyse en 30 jours de vos tâches, ni d’images étiquetées que vous pouvez tirer.',
  images: 'Images',
  byFolder: 'Stockage par dossier',
  folder: 'Dossier',
  noFolder: 'Sans dossier',
  size: 'Taille',
  noStorage: 'Rien n’est stocké, ou rien que vous puissiez voir.',
  vulnerable: 'Images les plus vulnérables',
  image: 'Image',
  scanned: 'Analysée',
  noVulnerable: 'Aucune image analysée n’a de vulnérabilité.',
  largest: 'Plus grands dépôts',
};
