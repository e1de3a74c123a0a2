import { counter } from '../../i18n/count.ts';
import type {
  account as accountEn,
  adminOnly as adminOnlyEn,
  contacts as contactsEn,
  folders as foldersEn,
  groups as groupsEn,
  password as passwordEn,
  users as usersEn,
} from '../en/accounts.ts';

const count = counter('fr');

export const account: typeof accountEn = {
  title: 'Mon compte',
  lead: 'Vos droits, votre mot de passe et vos jetons.',
  who: 'Compte',
  username: 'Nom d’utilisateur',
  groups: 'Groupes',
  noGroups:
    'Aucun. Un administrateur ajoute les comptes à des groupes, et les groupes ont des droits sur des dossiers.',
  rights: 'Droits',
  everything: 'Tous les droits (administrateur)',
  nothing: 'Aucun droit pour l’instant',
  pullExternal: 'Récupérer depuis d’autres registres',
  push: 'Pousser vers les dossiers qui vous sont accordés',
  pushExternal: 'Pousser vers d’autres registres',
  bypass: 'Pousser des images que la politique bloque',
  password: 'Mot de passe',
  passwordLead: 'Changer de mot de passe vous déconnecte partout ailleurs.',
  elsewhere:
    'Votre compte est géré par le fournisseur d’identité. Changez le mot de passe auprès de celui-ci.',
  tokens: 'Jetons d’accès personnels',
  tokensLead:
    'Utilisez-les dans les programmes à la place de votre mot de passe. Ils ont vos droits et sont supprimés avec votre compte.',
  newToken: 'Nouveau jeton',
  emptyTitle: 'Aucun jeton',
  emptyText: 'Créez un jeton pour docker, un pipeline ou un script.',
  name: 'Nom',
  namePlaceholder: 'portable, serveur de build',
  nameHint: 'Vous aide à reconnaître le jeton plus tard.',
  scope: 'Utilisation',
  scopes: { api: 'API REST', docker: 'docker, podman, helm' },
  scopeHints: {
    api: 'Comme « Authorization: Bearer » avec l’API REST. Non accepté par docker login.',
    docker: 'Comme mot de passe pour docker login. Non accepté par l’API REST.',
  },
  expiry: 'Expire dans',
  days: (n) => count(n, 'jour', 'jours'),
  until: (date) => `Expire le ${date}`,
  expires: 'Expiration',
  expired: 'Expiré',
  create: 'Créer le jeton',
  madeTitle: 'Copiez votre jeton maintenant',
  madeText: 'Il ne sera plus affiché.',
  token: 'Jeton',
  copyToken: 'Copier le jeton',
  loginHint: 'Connectez-vous avec :',
  apiHint: 'Exemple :',
  copyCommand: 'Copier la commande',
  close: 'Terminé',
  revoke: 'Révoquer',
  revokeNamed: (name) => `Révoquer ${name}`,
  revokeTitle: (name) => `Révoquer ${name} ?`,
  revokeText:
    'Les programmes qui utilisent ce jeton sont immédiatement refusés. Cette action est irréversible.',
  revoked: (names) =>
    names.length === 1
      ? `${names[0]} a été révoqué.`
      : `${count(names.length, 'jeton a été révoqué', 'jetons ont été révoqués')}.`,
  revokeSeveral: (n) => `Révoquer ${count(n, 'jeton', 'jetons')} ?`,
  revokeSeveralText:
    'Les programmes qui utilisent ces jetons sont immédiatement refusés. Cette action est irréversible.',
};

export const users: typeof usersEn = {
  title: 'Utilisateurs',
  lead: 'Comptes des utilisateurs. Leurs droits sur les images viennent de leurs groupes.',
  newUser: 'Nouvel utilisateur',
  search: 'Rechercher par nom ou e-mail',
  total: (n) => count(n, 'compte', 'comptes'),
  more: 'Afficher plus',
  noMatch: 'Aucun compte correspondant',
  noMatchText: 'Essayez une partie du nom ou de l’adresse e-mail.',
  name: 'Nom d’utilisateur',
  rights: 'Privilèges',
  source: 'Mode de connexion',
  sources: { local: 'Mot de passe', oidc: 'Fournisseur d’identité', robot: 'Robot' },
  lastLogin: 'Dernière connexion',
  never: 'Jamais',
  admin: 'Administrateur',
  bypass: 'Peut pousser des images bloquées',
  disabled: 'Désactivé',
  mustChange: 'Doit changer de mot de passe',
  username: 'Nom d’utilisateur',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Au moins 12 caractères.',
  keepPassword:
    'Laissez vide pour conserver l’actuel. Un nouveau mot de passe met fin à toutes les sessions.',
  generate: 'Générer',
  generated: 'Généré. Copiez-le maintenant et transmettez-le de façon sûre.',
  copyPassword: 'Copier le mot de passe',
  adminHint: 'A tous les droits, y compris sur les paramètres et les comptes.',
  bypassHint:
    'Peut pousser des images que la politique bloque, et assouplir la politique pour une image.',
  disabledHint:
    'Les sessions se terminent immédiatement. Les mots de passe et les jetons sont refusés.',
  mustChangeHint: 'Le compte ne peut rien faire d’autre avant d’avoir changé de mot de passe.',
  create: 'Créer le compte',
  created: (name) => `Le compte ${name} a été créé.`,
  saved: (name) => `${name} a été enregistré.`,
  removeTitle: (name) => `Supprimer ${name} ?`,
  removeText: 'Cette action supprime définitivement le compte, ainsi que :',
  removeList: [
    'ses sessions et ses jetons',
    'les registres qu’il a enregistrés',
    'ses jobs et planifications ; les jobs en cours sont annulés',
  ].join('\n'),
  removeStays: 'Les images qu’il a poussées et ses événements d’audit sont conservés.',
  removeAction: 'Supprimer le compte',
  removed: (name) => `${name} a été supprimé.`,
  you: 'vous',
  ownAccount: 'C’est votre propre compte. Veillez à ne pas perdre votre accès.',
};

export const groups: typeof groupsEn = {
  title: 'Groupes',
  lead: 'Comptes qui ont les mêmes droits sur les dossiers.',
  newGroup: 'Nouveau groupe',
  emptyTitle: 'Pas encore de groupe',
  emptyText:
    'Créez un groupe par équipe, ajoutez ses membres et accordez-lui des droits sur des dossiers.',
  name: 'Nom',
  description: 'Description',
  members: 'Membres',
  memberCount: (n) => count(n, 'membre', 'membres'),
  noMembers: 'Aucun membre',
  noMembersText: 'Ce groupe n’a aucun membre.',
  add: 'Ajouter un membre',
  addPlaceholder: 'Rechercher des comptes',
  atOnce: 'Les modifications s’appliquent immédiatement.',
  removeMember: (name) => `Retirer ${name}`,
  create: 'Créer le groupe',
  created: (name) => `${name} a été créé. Ajoutez maintenant des membres.`,
  saved: (name) => `${name} a été enregistré.`,
  removeTitle: (name) => `Supprimer le groupe ${name} ?`,
  removeText: (members) =>
    `${count(members, 'membre perd', 'membres perdent')} immédiatement les droits de ce groupe. Les comptes sont conservés.`,
  removeAction: 'Supprimer le groupe',
  removed: (name) => `${name} a été supprimé.`,
};

export const folders: typeof foldersEn = {
  policy: 'Politique',
  policyHint: 'Quelles vulnérabilités bloquent une image de ce dossier.',
  pushGate: 'Pushs par docker push',
  pushGates: {
    off: {
      name: 'Non analysés',
      effect: 'Ce qui est poussé n’est analysé qu’à la première récupération ou sur demande.',
    },
    report: {
      name: 'Analysés en arrière-plan',
      effect: 'Ce qui est poussé est analysé en quelques secondes, et son verdict est affiché.',
    },
  },
  immutableTags: 'Tags immuables',
  immutableTagsHint:
    'Les tags qui correspondent à un motif peuvent être créés, mais personne ne peut ensuite les déplacer vers une autre image ni les supprimer. Exemples : v* pour tous les tags qui commencent par v, * pour tous.',
  immutableTagsEffect: 'Dès qu’un tel tag existe, il n’est ni déplacé ni supprimé.',
  noImmutableTags: 'Aucun : les tags peuvent être déplacés et supprimés.',
  quota: 'Quota',
  quotaHint:
    'L’espace que les images du dossier peuvent occuper ensemble. Les couches partagées ne comptent qu’une fois. Les pushs qui dépasseraient le quota sont refusés.',
  noQuota: 'Aucun quota',
  quotaUnit: 'Unité',
  quotaUnits: { MB: 'Mo', GB: 'Go', TB: 'To' },
  pullGate: 'Récupérations',
  pullGates: {
    off: {
      name: 'Toujours servies',
      effect: 'La politique ne décide que des pushs depuis la zone de transit.',
    },
    report: {
      name: 'Servies et consignées',
      effect: 'Chaque récupération d’une image bloquée figure au journal d’audit.',
    },
    enforce: {
      name: 'Refusées si bloquées',
      effect: 'Une image bloquée n’est pas servie ; une image non analysée attend son analyse.',
    },
  },
  pullNotes: {
    report: 'Récupérations bloquées consignées',
    enforce: 'Récupérations bloquées refusées',
  },
  policyNote: (name) => `Politique : ${name}`,
  title: 'Dossiers et droits',
  lead: 'Un dossier est la première partie du nom d’un dépôt. Les droits sur les dossiers sont accordés aux groupes.',
  newFolder: 'Nouveau dossier',
  folder: 'Dossier',
  group: 'Groupe',
  rootName: 'Sans dossier',
  root: 'Dépôts sans dossier',
  noFoldersTitle: 'Pas encore de dossier',
  noFolders: 'Créez un dossier par équipe ou produit, puis accordez des droits aux groupes.',
  noGroupsTitle: 'Aucun groupe',
  noGroups: 'Les droits sont accordés aux groupes. Créez d’abord un groupe et ajoutez ses membres.',
  toGroups: 'Aller aux groupes',
  filterFolders: 'Filtrer les dossiers',
  noMatch: 'Aucun dossier correspondant.',
  filterGroups: 'Filtrer les groupes',
  noGroupMatch: 'Aucun groupe correspondant.',
  rights: {
    can_pull: 'Récupérer',
    can_push: 'Pousser',
    can_pull_external: 'Récupérer depuis d’autres registres',
    can_push_external: 'Pousser vers d’autres registres',
  },
  rightHints: {
    can_pull: 'Voir et récupérer les images de ce dossier',
    can_push: 'Pousser, taguer et supprimer les images de ce dossier',
    can_pull_external:
      'Récupérer des images d’autres registres ; accordé par n’importe quel dossier',
    can_push_external:
      'Pousser des images vers d’autres registres ; accordé par n’importe quel dossier',
  },
  keys: 'Utilisez les flèches pour vous déplacer et la barre d’espace pour modifier un droit.',
  cell: (folder, group, right) => `${folder}, ${group} : ${right}`,
  matrix: 'Droits des groupes sur les dossiers',
  changes: (n) => `${count(n, 'modification non enregistrée', 'modifications non enregistrées')}`,
  saved: 'Les droits ont été enregistrés.',
  newTitle: 'Nouveau dossier',
  name: 'Nom',
  nameHint:
    'Minuscules et chiffres, séparés par . _ ou -. Les noms des dépôts de ce dossier commencent par ce nom.',
  newEffect:
    'Les dépôts existants dont le nom commence ainsi passent dans le dossier. Seuls les administrateurs y ont accès tant que vous n’accordez pas de droits.',
  description: 'Description',
  create: 'Créer le dossier',
  created: (name) => `${name} a été créé. Accordez maintenant des droits.`,
  savedFolder: (name) => `${name} a été enregistré.`,
  edit: (name) => `Modifier ${name}`,
  removeTitle: (name) => `Supprimer le dossier ${name} ?`,
  removeText: 'Les droits sur ce dossier sont supprimés. Les images ne sont pas supprimées.',
  force:
    'Le supprimer même s’il contient des dépôts. Les droits des dépôts sans dossier s’appliquent alors à ceux-ci.',
  removeAction: 'Supprimer le dossier',
  removed: (name) => `${name} a été supprimé.`,
  explain: 'Vérifier les droits',
  explainLead: 'Indique si une requête serait autorisée, et pourquoi.',
  person: 'Compte',
  personPlaceholder: 'Rechercher des comptes',
  action: 'Action',
  actions: {
    pull: 'récupérer',
    push: 'pousser',
    pull_external: 'récupérer depuis d’autres registres',
    push_external: 'pousser vers d’autres registres',
  },
  repository: 'Dépôt',
  repositoryPlaceholder: 'equipe/app',
  yes: {
    pull: (who, repository) => `Oui, ${who} peut récupérer ${repository}.`,
    push: (who, repository) => `Oui, ${who} peut pousser ${repository}.`,
    pull_external: (who) => `Oui, ${who} peut récupérer depuis d’autres registres.`,
    push_external: (who) => `Oui, ${who} peut pousser vers d’autres registres.`,
  },
  no: {
    pull: (who, repository) => `Non, ${who} ne peut pas récupérer ${repository}.`,
    push: (who, repository) => `Non, ${who} ne peut pas pousser ${repository}.`,
    pull_external: (who) => `Non, ${who} ne peut pas récupérer depuis d’autres registres.`,
    push_external: (who) => `Non, ${who} ne peut pas pousser vers d’autres registres.`,
  },
  becauseAdmin: 'Les administrateurs ont tous les droits.',
  governs: (folder) => `Les droits sur le dossier ${folder} s’appliquent.`,
  governsRoot:
    'Le dépôt n’est dans aucun dossier : les droits des dépôts sans dossier s’appliquent.',
  grants: 'Accordé par :',
  others: 'Droits des groupes de ce compte, dont aucun ne l’autorise :',
  noGrants: 'Aucun groupe de ce compte n’a de droits ici.',
  grantLine: (group, rights, folder) => `${group} : ${rights} (${folder})`,
  nothingGranted: 'aucun droit',
  ask: 'Sélectionnez un compte et saisissez un dépôt.',
};

export const adminOnly: typeof adminOnlyEn = {
  title: 'Réservé aux administrateurs',
  text: 'Cette page modifie les droits de tous les comptes. Adressez-vous à un administrateur pour demander une modification.',
};

export const password: typeof passwordEn = {
  title: 'Changer de mot de passe',
  forced: 'Choisissez votre propre mot de passe pour continuer.',
  current: 'Mot de passe actuel',
  wanted: 'Nouveau mot de passe',
  hint: 'Au moins 12 caractères. Une phrase convient bien.',
  again: 'Confirmer le nouveau mot de passe',
  differ: 'Les mots de passe ne correspondent pas.',
  short: (missing) => `Il manque ${count(missing, 'caractère', 'caractères')}.`,
  submit: 'Changer le mot de passe',
  done: 'Votre mot de passe a été changé.',
  signOut: 'Se déconnecter',
};

export const contacts: typeof contactsEn = {
  administrators: (names) => `Administrateurs : ${names}.`,
  reviewers: (names) => `Les dérogations sont approuvées par ${names}.`,
  noReviewers: 'Pour l’instant, aucun autre compte ne peut approuver de dérogation.',
  andMore: (names, more) => `${names} et ${count(more, 'autre', 'autres')}`,
};
