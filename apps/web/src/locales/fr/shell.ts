import type { navigation as navigationEn, shell as shellEn } from '../en/shell.ts';

export const shell: typeof shellEn = {
  skip: 'Aller au contenu',
  away: {
    database: {
      title: 'La base de données ne répond pas',
      help: 'Rien ne peut être lu ni modifié jusqu’à son retour. Les tâches en cours reprendront ensuite.',
    },
    redis: {
      title: 'Redis ne répond pas',
      help: 'Les connexions par mot de passe sont refusées, et les nouvelles tâches démarreront à son retour.',
    },
    registry: {
      title: 'Le registre intégré ne répond pas',
      help: 'Ses images ne peuvent être ni listées, ni tirées, ni poussées jusqu’à son retour.',
    },
    disk: {
      title: 'Le disque est presque plein',
      help: 'Pulls, analyses et pushs attendent qu’il y ait de nouveau de la place. Les administrateurs en libèrent en supprimant des images en transit et en lançant le ramasse-miettes.',
    },
  },
  menu: 'Menu',
  mainNavigation: 'Navigation principale',
  administrator: 'Administrateur',
  sections: { settings: 'Réglages', operation: 'Exploitation' },
  schemes: { light: 'Claire', dark: 'Sombre', auto: 'Système' },
  language: 'Langue',
  appearance: 'Apparence',
  shortcuts: 'Raccourcis clavier',
  goTo: (place) => `Aller à : ${place}`,
  searchHere: 'Chercher dans cette page',
  showHelp: 'Afficher cette aide',
  after: 'puis',
  changePassword: 'Changer de mot de passe',
  signOut: 'Se déconnecter',
  loading: 'Chargement',
};

export const navigation: typeof navigationEn = {
  dashboard: 'Vue d’ensemble',
  staging: 'Zone de transit',
  images: 'Images',
  transfers: 'Transferts',
  registries: 'Registres',
  account: 'Mon compte',
  users: 'Utilisateurs',
  groups: 'Groupes',
  folders: 'Dossiers et droits',
  scan: 'Politique d’analyse',
  signOn: 'Authentification unique',
  network: 'Réseau',
  audit: 'Journal d’audit',
  system: 'Système',
};
