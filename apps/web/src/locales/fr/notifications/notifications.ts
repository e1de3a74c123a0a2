import { counter } from '../../../i18n/count.ts';
import type { notifications as notificationsEn } from '../../en/notifications/notifications.ts';

const count = counter('fr');

export const notifications: typeof notificationsEn = {
  title: 'Notifications',
  read: 'Marquer comme lue',
  readOne: (headline) => `Marquer comme lue : ${headline}`,
  readAll: 'Tout marquer comme lu',
  older: 'Afficher les précédentes',
  settings: 'Choisir les notifications',
  empty: 'Aucune notification pour l’instant',
  emptyText:
    'Vous voyez ici quand une de vos images est bloquée, poussée ou en échec, quand un transfert est terminé, et quand une dérogation est à examiner, est décidée ou prend bientôt fin.',
  unread: 'Non lue',
  days: { today: 'Aujourd’hui', yesterday: 'Hier' },
  jobBlocked: (image) => `${image} a été bloquée par la politique`,
  jobPushed: (image) => `${image} a été poussée`,
  jobFailed: (image) => `Le job de ${image} a échoué`,
  to: (destination) => `Vers ${destination}`,
  transfer: 'Votre transfert est terminé',
  transferCounts: (pushed, blocked, failed) =>
    `${count(pushed, 'poussée', 'poussées')}, ${count(blocked, 'bloquée', 'bloquées')}, ${failed} en échec`,
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
  because: (account, reason) => `Par ${account} : ${reason}`,
};
