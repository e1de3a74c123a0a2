import { counter } from '../../../i18n/count.ts';
import type {
  notificationChoices as notificationChoicesEn,
  notifications as notificationsEn,
} from '../../en/notifications/notifications.ts';

const count = counter('fr');

export const notifications: typeof notificationsEn = {
  title: 'Notifications',
  read: 'Marquer comme lue',
  readOne: (headline) => `Marquer comme lue : ${headline}`,
  readAll: 'Tout marquer comme lu',
  older: 'Afficher les précédentes',
  settings: 'Choisir les notifications',
  empty: 'Aucune notification pour l’instant',
  emptyText:
    'Vous êtes averti ici lorsqu’une de vos images est bloquée, poussée ou en échec, lorsqu’un transfert est terminé, et lorsqu’une dérogation est à examiner, fait l’objet d’une décision ou prend bientôt fin.',
  unread: 'Non lue',
  days: { today: 'Aujourd’hui', yesterday: 'Hier' },
  jobBlocked: (image) => `${image} a été bloquée par la politique`,
  jobPushed: (image) => `${image} a été poussée`,
  jobFailed: (image) => `Le job de ${image} a échoué`,
  to: (destination) => `Vers ${destination}`,
  transfer: 'Votre transfert est terminé',
  transferCounts: (pushed, blocked, failed) =>
    [
      count(pushed, 'poussée', 'poussées'),
      count(blocked, 'bloquée', 'bloquées'),
      count(failed, 'en échec'),
    ].join(', '),
  imageBlocked: (image) => `${image} est désormais bloquée`,
  imageCleared: (image) => `${image} n’est plus bloquée`,
  vulnerability: (image) => `${image} a une nouvelle vulnérabilité`,
  byPolicy: (policy) => `Politique ${policy}`,
  servedUntil: (policy, date) => `Politique ${policy}, encore servie jusqu’au ${date}`,
  waiting: (n, first) =>
    n === 1
      ? `La dérogation pour ${first} est à examiner`
      : `${count(n, 'dérogation', 'dérogations')} à examiner`,
  ending: (n, first) =>
    n === 1
      ? `Votre dérogation pour ${first} prend bientôt fin`
      : `${count(n, 'de vos dérogations prend', 'de vos dérogations prennent')} bientôt fin`,
  endsOn: (date) => `Le ${date}`,
  decisions: {
    approved: (vulnerability) => `Votre dérogation pour ${vulnerability} a été approuvée`,
    rejected: (vulnerability) => `Votre dérogation pour ${vulnerability} a été rejetée`,
    revoked: (vulnerability) => `Votre dérogation pour ${vulnerability} a été révoquée`,
  },
  by: (account) => `Par ${account}`,
  because: (account, reason) => `Par ${account} : ${reason}`,
};

export const notificationChoices: typeof notificationChoicesEn = {
  title: 'Notifications',
  lead: 'Ce qui s’affiche sous la cloche et ce qui est envoyé par e-mail. Les modifications sont enregistrées immédiatement.',
  saved: 'Enregistré',
  what: 'Événement',
  ways: { page: 'Sur la page', mail: 'E-mail' },
  never: 'Non disponible',
  groups: {
    jobs: 'Mes jobs et transferts',
    images: 'Images de mes dossiers',
    waivers: 'Dérogations',
  },
  kinds: {
    'job.blocked': 'Mon image a été bloquée',
    'job.pushed': 'Mon image a été poussée',
    'job.failed': 'Ma récupération, mon analyse ou mon push a échoué',
    'transfer.finished': 'Mon transfert est terminé',
    'image.blocked': 'Une image est désormais bloquée',
    'image.cleared': 'Une image n’est plus bloquée',
    'vulnerability.appeared': 'Une image a une nouvelle vulnérabilité',
    'waiver.waiting': 'Une dérogation attend mon examen',
    'waiver.decided': 'Ma dérogation a été approuvée, rejetée ou révoquée',
    'waiver.ending': 'Ma dérogation prend bientôt fin',
  },
  mailedTo: (address) => `Les e-mails sont envoyés à ${address}.`,
  noMail: 'Cette installation n’envoie pas d’e-mails.',
  askForMail: 'Un administrateur peut configurer un serveur de messagerie.',
  setUpMail: 'Configurer un serveur de messagerie',
  noAddress: 'Vous ne recevez pas d’e-mails, car votre compte n’a pas d’adresse.',
  askForAddress: 'Un administrateur peut en ajouter une.',
  addAddress: 'Ajouter une adresse',
};
