import { counter } from '../../../i18n/count.ts';
import type {
  notificationChoices as notificationChoicesEn,
  notifications as notificationsEn,
} from '../../en/notifications/notifications.ts';

const count = counter('de');

export const notifications: typeof notificationsEn = {
  title: 'Benachrichtigungen',
  read: 'Als gelesen markieren',
  readOne: (headline) => `Als gelesen markieren: ${headline}`,
  readAll: 'Alle gelesen',
  older: 'Ältere anzeigen',
  settings: 'Benachrichtigungen auswählen',
  empty: 'Noch keine Benachrichtigungen',
  emptyText:
    'Hier erscheint, wenn eines Ihrer Images blockiert oder gepusht wird oder fehlschlägt, wenn eine Übertragung abgeschlossen ist und wenn eine Ausnahme auf Ihre Prüfung wartet, entschieden wird oder bald endet.',
  unread: 'Ungelesen',
  days: { today: 'Heute', yesterday: 'Gestern' },
  jobBlocked: (image) => `${image} wurde durch die Richtlinie blockiert`,
  jobPushed: (image) => `${image} wurde gepusht`,
  jobFailed: (image) => `Der Job von ${image} ist fehlgeschlagen`,
  to: (destination) => `Nach ${destination}`,
  transfer: 'Ihre Übertragung ist abgeschlossen',
  transferCounts: (pushed, blocked, failed) =>
    [count(pushed, 'gepusht'), count(blocked, 'blockiert'), count(failed, 'fehlgeschlagen')].join(
      ', ',
    ),
  imageBlocked: (image) => `${image} ist jetzt blockiert`,
  imageCleared: (image) => `${image} ist nicht mehr blockiert`,
  vulnerability: (image) => `${image} hat eine neue Schwachstelle`,
  byPolicy: (policy) => `Richtlinie ${policy}`,
  servedUntil: (policy, date) => `Richtlinie ${policy}, wird noch bis ${date} ausgeliefert`,
  waiting: (n, first) =>
    n === 1
      ? `Die Ausnahme für ${first} wartet auf Ihre Prüfung`
      : `${count(n, 'Ausnahme wartet', 'Ausnahmen warten')} auf Ihre Prüfung`,
  ending: (n, first) =>
    n === 1
      ? `Ihre Ausnahme für ${first} endet bald`
      : `${count(n, 'Ihrer Ausnahmen endet', 'Ihrer Ausnahmen enden')} bald`,
  endsOn: (date) => `Am ${date}`,
  decisions: {
    approved: (vulnerability) => `Ihre Ausnahme für ${vulnerability} wurde genehmigt`,
    rejected: (vulnerability) => `Ihre Ausnahme für ${vulnerability} wurde abgelehnt`,
    revoked: (vulnerability) => `Ihre Ausnahme für ${vulnerability} wurde widerrufen`,
  },
  by: (account) => `Von ${account}`,
  because: (account, reason) => `Von ${account}: ${reason}`,
};

export const notificationChoices: typeof notificationChoicesEn = {
  title: 'Benachrichtigungen',
  lead: 'Was unter der Glocke erscheint und was per E-Mail gesendet wird. Änderungen werden sofort gespeichert.',
  saved: 'Gespeichert',
  what: 'Ereignis',
  ways: { page: 'Auf der Seite', mail: 'E-Mail' },
  never: 'Nicht verfügbar',
  groups: {
    jobs: 'Meine Jobs und Übertragungen',
    images: 'Images meiner Ordner',
    waivers: 'Ausnahmen',
  },
  kinds: {
    'job.blocked': 'Mein Image wurde blockiert',
    'job.pushed': 'Mein Image wurde gepusht',
    'job.failed': 'Mein Pull, Scan oder Push ist fehlgeschlagen',
    'transfer.finished': 'Meine Übertragung ist abgeschlossen',
    'image.blocked': 'Ein Image ist jetzt blockiert',
    'image.cleared': 'Ein Image ist nicht mehr blockiert',
    'vulnerability.appeared': 'Ein Image hat eine neue Schwachstelle',
    'waiver.waiting': 'Eine Ausnahme wartet auf meine Prüfung',
    'waiver.decided': 'Meine Ausnahme wurde genehmigt, abgelehnt oder widerrufen',
    'waiver.ending': 'Meine Ausnahme endet bald',
  },
  mailedTo: (address) => `E-Mails gehen an ${address}.`,
  noMail: 'Diese Installation sendet keine E-Mails.',
  askForMail: 'Ein Administrator kann einen Mailserver einrichten.',
  setUpMail: 'Mailserver einrichten',
  noAddress: 'Sie erhalten keine E-Mails, weil Ihr Konto keine E-Mail-Adresse hat.',
  askForAddress: 'Ein Administrator kann eine eintragen.',
  addAddress: 'Adresse eintragen',
};
