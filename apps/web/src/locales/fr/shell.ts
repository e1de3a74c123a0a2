import { counter } from '../../i18n/count.ts';
import type { navigation as navigationEn, shell as shellEn } from '../en/shell.ts';

const count = counter('fr');

export const shell: typeof shellEn = {
  skip: 'Aller au contenu',
  sampleData: {
    title: 'Données d’exemple',
    help: 'Les images, les vulnérabilités et les comptes sont inventés. Rien ici ne concerne de vrais logiciels.',
  },
  away: {
    database: {
      title: 'La base de données ne répond pas',
      help: 'Rien ne peut être lu ni modifié jusqu’à son retour. Les jobs en cours reprennent ensuite.',
    },
    redis: {
      title: 'Redis ne répond pas',
      help: 'La connexion par mot de passe est impossible, et les nouveaux jobs ne démarreront qu’à son retour.',
    },
    registry: {
      title: 'Le registre intégré ne répond pas',
      help: 'Ses images ne peuvent être ni listées, ni récupérées, ni poussées jusqu’à son retour.',
    },
    disk: {
      title: 'Le disque est presque plein',
      help: 'Les jobs attendent de l’espace libre. Un administrateur peut en libérer en supprimant des images en transit et en lançant le nettoyage du registre.',
    },
    JOBS_WAIT_FOR_DISK: {
      title: 'Des jobs attendent de l’espace libre depuis plusieurs minutes',
      help: 'Un administrateur peut libérer de l’espace en supprimant des images en transit et en lançant le nettoyage du registre, ou fournir un disque plus grand.',
    },
    REGISTRY_DISK_RESERVE: {
      title: 'Le disque du registre intégré est presque plein',
      help: 'Les pushs vers ce registre attendent de l’espace libre. Un administrateur peut supprimer des images et lancer le nettoyage.',
    },
    DISK_UNWRITABLE: {
      title: 'Un worker ne peut pas écrire sur son disque',
      help: 'Ses jobs attendent que le disque accepte de nouveau des écritures. Un administrateur doit vérifier le disque et son montage.',
    },
  },
  search: 'Rechercher',
  searchAll: 'Rechercher partout',
  notifications: (n) =>
    n === 0 ? 'Notifications' : `Notifications, ${count(n, 'non lue', 'non lues')}`,
  menu: 'Menu',
  mainNavigation: 'Navigation principale',
  administrator: 'Administrateur',
  sections: { settings: 'Paramètres', operation: 'Exploitation' },
  schemes: { light: 'Claire', dark: 'Sombre', auto: 'Système' },
  language: 'Langue',
  appearance: 'Apparence',
  shortcuts: 'Raccourcis clavier',
  goTo: (place) => `Aller à : ${place}`,
  searchHere: 'Rechercher dans cette page',
  showHelp: 'Afficher cette aide',
  after: 'puis',
  changePassword: 'Changer de mot de passe',
  signOut: 'Se déconnecter',
  toReview: (n) => count(n, 'à examiner'),
  loading: 'Chargement',
};

export const navigation: typeof navigationEn = {
  dashboard: 'Vue d’ensemble',
  staging: 'Zone de transit',
  folderList: 'Dossiers',
  images: 'Images',
  vulnerabilities: 'Vulnérabilités',
  waivers: 'Dérogations',
  transfers: 'Transferts',
  registries: 'Registres',
  account: 'Mon compte',
  users: 'Utilisateurs',
  groups: 'Groupes',
  robots: 'Comptes robots',
  folders: 'Droits',
  scan: 'Politique d’analyse',
  policies: 'Politiques',
  signOn: 'Authentification unique',
  network: 'Réseau',
  webhooks: 'Webhooks',
  audit: 'Journal d’audit',
  system: 'Système',
};
