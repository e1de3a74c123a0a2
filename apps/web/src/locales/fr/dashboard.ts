import { counter, numberIn } from '../../i18n/count.ts';
import type {
  dashboard as dashboardEn,
  setup as setupEn,
  start as startEn,
} from '../en/dashboard.ts';

const count = counter('fr');
const number = numberIn('fr');

export const dashboard: typeof dashboardEn = {
  title: 'Vue d’ensemble',
  asOf: (when) => `État à ${when}`,
  attention: 'Nécessite votre attention',
  allWell: 'Tout est à jour. Rien ne nécessite votre attention.',
  wellButBlocked: (n) =>
    `${count(n, 'image nouvellement bloquée', 'images nouvellement bloquées')} depuis hier. Rien d’autre ne nécessite votre attention.`,
  kinds: {
    jobs_blocked: (n) =>
      `${count(n, 'image est bloquée', 'images sont bloquées')} par la politique`,
    jobs_failed: (n) =>
      `${count(n, 'job demandé au cours des 24 dernières heures a', 'jobs demandés au cours des 24 dernières heures ont')} échoué`,
    scanner_unavailable: () =>
      'L’analyseur n’est pas disponible. Les nouvelles images ne peuvent pas être analysées',
    scanner_db_old: (_, age) =>
      `La base de vulnérabilités date de ${age}. Les vulnérabilités plus récentes ne sont pas détectées`,
    registry_unavailable: () => 'Le registre intégré ne répond pas',
    disk_short: () => 'Le disque est presque plein. Les jobs attendent de l’espace libre',
    disk_nearly_full: (n) => `Le disque est plein à ${number(n)} %`,
    events_lagging: (n) =>
      `${count(n, 'événement d’audit n’a', 'événements d’audit n’ont')} pas été transmis au collecteur`,
    gc_failed: () => 'Le dernier nettoyage du registre a échoué',
  },
  look: 'Voir',
  repositories: 'Dépôts',
  tags: (n) => count(n, 'tag', 'tags'),
  storage: 'Stockage',
  eachOnce: 'Chaque blob compté une fois',
  free: (free, total) => `${free} libres sur ${total}`,
  findings: 'Vulnérabilités',
  fixable: (n) => `${count(n, 'corrigeable', 'corrigeables')}`,
  scannedOf: (scanned, total) =>
    `Images taguées analysées : ${number(scanned)} sur ${number(total)}`,
  noImages: 'Aucune image taguée',
  scanner: 'Base de vulnérabilités',
  scannerUpdated: 'Mise à jour',
  scannerOff: 'Analyseur désactivé',
  scannerAway: 'Analyseur indisponible',
  accounts: 'Comptes',
  accountsText: (admins, disabled) =>
    `${count(admins, 'administrateur', 'administrateurs')}, ${count(disabled, 'désactivé', 'désactivés')}`,
  jobs: 'Jobs des 30 derniers jours',
  jobsSentence: (total, pushed, blocked, failed) =>
    `${count(total, 'job', 'jobs')} : ${count(pushed, 'poussé', 'poussés')}, ${count(blocked, 'bloqué', 'bloqués')}, ${count(failed, 'échoué', 'échoués')}.`,
  noJobs: 'Aucun job au cours des 30 derniers jours. Récupérez une image pour commencer.',
  pull: 'Récupérer une image',
  series: { pushed: 'Poussés', other: 'Autres', blocked: 'Bloqués', failed: 'Échoués' },
  day: 'Jour',
  total: 'Total',
  asTable: 'Afficher en tableau',
  asChart: 'Afficher en graphique',
  bySeverity: 'Vulnérabilités par gravité',
  bySeverityText: 'Dans les images taguées, selon leur dernière analyse.',
  noFindings: 'Aucune vulnérabilité.',
  findingDays: 'Vulnérabilités par date d’analyse',
  findingDaysSentence: (days, last, images, found) =>
    `Résultats de la dernière analyse de chaque image par jour. Analyses pendant ${count(days, 'jour', 'jours')} sur les 30 derniers ; la dernière le ${last} : ${found} dans ${count(images, 'image', 'images')}.`,
  found: (n) => count(n, 'vulnérabilité', 'vulnérabilités'),
  noScans: 'Aucune analyse au cours des 30 derniers jours.',
  notScanned: 'Aucune analyse ce jour-là',
  images: 'Images',
  byFolder: 'Stockage par dossier',
  folder: 'Dossier',
  noFolder: 'Sans dossier',
  size: 'Taille',
  noStorage: 'Aucune image n’est stockée, ou vous n’y avez pas accès.',
  vulnerable: 'Images les plus vulnérables',
  image: 'Image',
  scanned: 'Analysée',
  noVulnerable: 'Aucune vulnérabilité dans les images analysées.',
  largest: 'Dépôts les plus volumineux',
  changes: 'Nouveautés depuis hier',
  changesSentence: (blocked, cleared, found) =>
    `${count(blocked, 'image nouvellement bloquée', 'images nouvellement bloquées')}, ${count(cleared, 'de nouveau autorisée', 'de nouveau autorisées')}, ${count(found, 'nouvelle vulnérabilité', 'nouvelles vulnérabilités')}.`,
  andMore: (shown, more) => (more > 0 ? `${shown} et ${count(more, 'autre', 'autres')}` : shown),
  inImages: (id, images) => `${id} (${count(images, 'image', 'images')})`,
  now: 'Maintenant',
  changed: 'Modifiée',
  passes: 'De nouveau autorisée',
};

export const setup: typeof setupEn = {
  title: 'Configurer Portcullis',
  progress: (done, all) =>
    `${count(done, 'étape terminée', 'étapes terminées')} sur ${number(all)}.`,
  hide: 'Masquer cette liste',
  done: 'Fait',
  open: 'À faire',
  begin: 'Commencer',
  steps: {
    scanner: {
      title: 'Analyseur',
      text: 'La base de vulnérabilités est en cours de téléchargement, ou l’analyseur ne répond pas.',
    },
    policy: {
      title: 'Politique d’analyse',
      text: 'Choisissez les gravités qui bloquent une image.',
    },
    group: {
      title: 'Groupes',
      text: 'Créez un groupe pour chaque équipe.',
    },
    folder: {
      title: 'Dossiers',
      text: 'Créez un dossier pour chaque équipe et donnez des droits à son groupe.',
    },
    account: {
      title: 'Comptes',
      text: 'Créez des comptes ou activez l’authentification unique.',
    },
    registry: {
      title: 'Registres',
      text: 'Enregistrez les registres d’où les images sont récupérées ou vers lesquels elles sont poussées. Docker Hub n’a pas besoin d’être enregistré.',
    },
  },
};

export const start: typeof startEn = {
  title: 'Bienvenue dans Portcullis',
  lead: 'Portcullis récupère des images de conteneurs, les analyse et applique votre politique ; seules celles qui la respectent sont poussées vers votre registre.',
  states: { open: 'À faire', waiting: 'En cours', done: 'Fait' },
  pull: {
    title: 'Récupérer votre première image',
    text: 'Depuis Docker Hub, ou avec l’hôte d’un autre registre : registry.example.com/team/app:1.0',
    reference: 'Image',
    act: 'Récupérer',
    more: 'Autres options',
    view: 'Afficher dans la zone de transit',
  },
  registry: {
    title: 'Connecter un registre',
    text: 'Pour y récupérer ou y pousser des images. Docker Hub et le registre intégré ne demandent aucune configuration.',
    act: 'Ajouter un registre',
  },
  samples: {
    title: 'Essayer avec des données d’exemple',
    text: 'Dans une copie locale du dépôt, cette commande lance une installation séparée avec des images et des vulnérabilités inventées. Elle n’a pas besoin d’Internet.',
    copy: 'Copier la commande',
  },
  scanner: {
    ready: 'L’analyseur est prêt.',
    off: 'L’analyse est désactivée.',
    failed: 'L’analyseur n’est pas disponible : les images récupérées maintenant l’attendent.',
    pending: (minutes) =>
      `Première analyse possible dans environ ${number(minutes)} min. Les images récupérées maintenant l’attendent.`,
  },
};
