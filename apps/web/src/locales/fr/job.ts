import { chooser, counter, numberIn } from '../../i18n/count.ts';
import type { findings as findingsEn, job as jobEn, push as pushEn } from '../en/job.ts';

const count = counter('fr');
const choose = chooser('fr');
const number = numberIn('fr');

export const job: typeof jobEn = {
  upgrades: {
    title: 'Ce qui lèverait le blocage',
    inBase: 'Dans l’image de base : partir d’une plus récente',
    inOwn: 'Dans vos propres couches',
    clears: (n) => `corrige ${count(n, 'vulnérabilité', 'vulnérabilités')}`,
    more: (n) => `et ${count(n, 'autre paquet', 'autres paquets')}`,
    unfixed: (n, names) =>
      `Pas encore de correctif pour ${count(n, 'vulnérabilité', 'vulnérabilités')}, par exemple ${names} : seule une dérogation permet de pousser l’image.`,
  },
  openImage: 'Ouvrir l’image, avec ses commandes pull',
  back: 'Zone de transit',
  push: 'Pousser…',
  pushAgain: 'Pousser de nouveau…',
  more: 'Autres actions',
  cancel: 'Annuler',
  retry: 'Relancer',
  rescan: 'Relancer l’analyse',
  remove: 'Supprimer',
  removed: (image) => `${image} a été supprimée.`,
  summary: {
    waiting: 'En attente d’un worker libre.',
    pulling: (host) => `Récupération depuis ${host}. L’analyse démarre automatiquement.`,
    scanning: 'L’image est en cours d’analyse.',
    findings: (found, blocking) =>
      `${found}. Aucune n’est bloquante selon la politique (${blocking}).`,
    earlier: (at) =>
      `L’analyse du ${at} a échoué. Les résultats affichés sont ceux de l’analyse précédente.`,
    artifact: (type) =>
      `Ce n’est pas une image de conteneur mais un artefact (${type}), par exemple un chart Helm. Les artefacts ne sont pas analysés ; la politique décide s’ils peuvent être poussés.`,
    blocked: (blocking, fixable) =>
      `La politique d’analyse bloque cette image : ${blocking}. ${fixable}`,
    noFix: 'Aucun correctif n’est encore disponible.',
    fixable: (fixable, total) =>
      `${number(fixable)} sur ${number(total)} ${choose(fixable, 'peut être corrigée', 'peuvent être corrigées')} par une mise à jour.`,
    failed: 'Le job n’est pas arrivé jusque-là.',
    cancelled: 'Le job a été annulé.',
    atSource: (text) => `À la source : ${text}`,
    atTarget: (text) => `À la destination : ${text}`,
  },
  facts: 'Détails',
  stagedImage: 'Image en transit',
  imageReleased: (time: string) =>
    `supprimée du disque ${time} ; un push la relit depuis sa source`,
  digest: 'Digest',
  size: 'Taille',
  platforms: 'Plateformes',
  all: 'Toutes',
  owner: 'Demandée par',
  requestId: 'ID de requête',
  scanner: 'Analyseur',
  database: 'Base de vulnérabilités',
  os: 'Système d’exploitation',
  eosl: 'fin de vie',
  overrides: 'Écarts à la politique',
  noScan: 'pas d’analyse',
  blocks: (list) => `bloque ${list}`,
  timeline: 'Chronologie',
  to: (place) => `vers ${place}`,
  left: (names: string, more: number) =>
    more > 0
      ? `${names} et ${more} autres n’ont pas pu être copiés`
      : `${names} n’a pas pu être copié`,
  event: {
    scan_disabled: 'L’analyse est désactivée.',
    scan_reused:
      'Pas analysée de nouveau : la même image a déjà été analysée par le même analyseur avec la même base de vulnérabilités.',
    layers_missing:
      'L’analyse a besoin de couches restées à la source. Elles sont en cours de téléchargement.',
    storage_lost:
      'Le stockage du worker qui avait récupéré l’image a disparu. L’image est récupérée de nouveau.',
    database_newer:
      'La base de vulnérabilités est plus récente que l’analyse. L’image est analysée de nouveau avant le push.',
    policy_changed: 'La politique d’analyse a changé après l’analyse. Le verdict a été mis à jour.',
    worker_stopped: 'Le worker a été arrêté. Un autre worker continue.',
    preempted:
      'De nouveau en attente pour laisser passer les jobs d’autres comptes. Le job reprendra où il s’est arrêté.',
    retried: 'Job relancé.',
    java_index_arrived: 'Analysée de nouveau : l’index Java est maintenant disponible.',
    image_released:
      'L’image a été supprimée du disque du worker. Elle est relue depuis sa source si nécessaire.',
  },
  letThrough: (who) => `Push autorisé par ${who} malgré le blocage. `,
  pushedAnyway: 'Autorisé malgré le blocage',
  pushes: 'Pushs',
  pushStatus: {
    queued: 'En attente',
    running: 'En cours',
    done: 'Terminé',
    failed: 'Échec',
    cancelled: 'Annulé',
  },
  mounted: (bytes) => `${bytes} existaient déjà`,
  report: 'Télécharger le rapport',
  allPlatforms: 'Toutes les plateformes',
};

export const push: typeof pushEn = {
  title: 'Pousser l’image',
  to: 'Vers',
  targets: { local: 'Registre intégré', saved: 'Registre enregistré', host: 'Autre registre' },
  folder: 'Dossier',
  noFolder: 'Sans dossier (nom ci-dessous)',
  noFolders:
    'Vous n’êtes autorisé à pousser vers aucun dossier. Demandez à un administrateur le droit « Pousser » sur l’un d’eux.',
  registry: 'Registre',
  host: 'Hôte',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe ou jeton',
  image: 'Image',
  tag: 'Tag',
  destination: 'Destination',
  asking: 'Vérification…',
  incomplete: 'Saisissez une destination.',
  allowed: 'Vous êtes autorisé à pousser ici.',
  bypassed: 'Uniquement parce que vous pouvez pousser des images bloquées.',
  refused: 'Vous n’êtes pas autorisé à pousser ici.',
  byPolicy: (name) => `La politique ${name} décide.`,
  byDefaultPolicy: 'La politique par défaut décide.',
  fixedIn: (version) => `corrigée dans ${version}`,
  noFix: 'aucun correctif disponible',
  moreFindings: (count) => `et ${count} de plus`,
  waived: (until) => `Autorisée par des dérogations jusqu’au ${until}.`,
  decides: (folder) => `Les droits sur le dossier ${folder} s’appliquent.`,
  decidesRoot:
    'Le dépôt n’est dans aucun dossier : les droits des dépôts sans dossier s’appliquent.',
  folderPick: 'Sélectionner un dossier',
  nothingThere: 'Ce tag n’existe pas encore.',
  sameThere: 'La même image s’y trouve déjà.',
  replaces: 'Ce tag existe et sera remplacé :',
  bypass:
    'La politique d’analyse bloque cette image. Votre compte peut quand même la pousser ; le motif est conservé avec le push et dans le journal d’audit.',
  bypassReason: 'Pourquoi cette image peut-elle passer ?',
  submit: 'Pousser',
  cancel: 'Annuler',
};

export const findings: typeof findingsEn = {
  title: 'Vulnérabilités',
  search: 'CVE, paquet ou chemin',
  fixable: 'Corrigeables uniquement',
  exploited: 'Exploitées uniquement',
  onlyNew: (count) => `Nouvelles uniquement (${count})`,
  new: 'Nouvelle',
  newHint: 'L’analyse précédente ne l’a pas trouvée',
  previous: 'Analyse précédente :',
  previousTag: (tag) => `Analyse précédente (tag ${tag}) :`,
  noPrevious:
    'Rien n’est marqué comme nouveau : vous n’avez pas d’analyse antérieure de cette image à comparer.',
  sort: 'Ordre',
  orders: {
    severity: 'Les plus graves d’abord',
    cvss: 'Score CVSS le plus élevé d’abord',
    epss: 'Exploitation la plus probable d’abord',
    package: 'Par paquet',
    fix: 'Avec correctif d’abord',
  },
  groupBy: 'Regrouper par',
  groups: { vulnerability: 'Vulnérabilité', package: 'Paquet' },
  shown: (shown, total) => `${shown} sur ${total}`,
  none: 'Aucune vulnérabilité correspondante',
  noneText: 'Essayez une autre recherche ou un autre filtre.',
  clear: 'Effacer les filtres',
  installed: 'Installée',
  fixed: 'Corrigée dans',
  noFix: 'aucun correctif disponible',
  rating: 'Gravité',
  ratedBy: (severity, source) => `${severity} (selon ${source})`,
  place: 'Trouvée dans',
  layer: 'Couche',
  onlyLayer: 'Cette couche uniquement',
  layerOf: (digest) => `Couche ${digest}`,
  allLayers: 'Afficher toutes les couches',
  platform: 'Plateforme',
  status: 'État',
  score: (score) => `CVSS ${score}`,
  more: (n) => `et ${n} de plus`,
  moreLinks: 'Afficher plus',
  advisory: 'Voir l’avis de sécurité',
};
