import { counter } from '../../../i18n/count.ts';

const count = counter('en');

export const notifications = {
  title: 'Notifications',
  read: 'Mark as read',
  readOne: (headline: string) => `Mark as read: ${headline}`,
  readAll: 'Mark all as read',
  older: 'Show older ones',
  settings: 'Choose notifications',
  empty: 'No notifications yet',
  emptyText:
    'It appears here when one of your images is blocked, pushed or fails, when a transfer has finished, and when a waiver needs your review, is decided or ends soon.',
  unread: 'Unread',
  days: { today: 'Today', yesterday: 'Yesterday' },
  jobBlocked: (image: string) => `${image} was blocked by policy`,
  jobPushed: (image: string) => `${image} was pushed`,
  jobFailed: (image: string) => `The job of ${image} failed`,
  to: (destination: string) => `To ${destination}`,
  transfer: 'Your transfer has finished',
  transferCounts: (pushed: number, blocked: number, failed: number) =>
    [count(pushed, 'pushed'), count(blocked, 'blocked'), count(failed, 'failed')].join(', '),
  imageBlocked: (image: string) => `${image} is now blocked`,
  imageCleared: (image: string) => `${image} is no longer blocked`,
  vulnerability: (image: string) => `${image} has a new vulnerability`,
  byPolicy: (policy: string) => `Policy ${policy}`,
  servedUntil: (policy: string, date: string) => `Policy ${policy}, still served until ${date}`,
  waiting: (n: number, first: string) =>
    n === 1
      ? `The waiver of ${first} needs your review`
      : `${count(n, 'waiver needs', 'waivers need')} your review`,
  ending: (n: number, first: string) =>
    n === 1
      ? `Your waiver of ${first} ends soon`
      : `${count(n, 'of your waivers ends', 'of your waivers end')} soon`,
  endsOn: (date: string) => `On ${date}`,
  decisions: {
    approved: (vulnerability: string) => `Your waiver of ${vulnerability} was approved`,
    rejected: (vulnerability: string) => `Your waiver of ${vulnerability} was rejected`,
    revoked: (vulnerability: string) => `Your waiver of ${vulnerability} was revoked`,
  },
  by: (account: string) => `By ${account}`,
  because: (account: string, reason: string) => `By ${account}: ${reason}`,
};

export const notificationChoices = {
  title: 'Notifications',
  lead: 'What appears behind the bell, and what is sent by e-mail. Changes are saved at once.',
  saved: 'Saved',
  what: 'Event',
  ways: { page: 'On the page', mail: 'E-mail' },
  never: 'Not available',
  groups: { jobs: 'My jobs and transfers', images: 'Images of my folders', waivers: 'Waivers' },
  kinds: {
    'job.blocked': 'My image was blocked',
    'job.pushed': 'My image was pushed',
    'job.failed': 'My pull, scan or push failed',
    'transfer.finished': 'My transfer has finished',
    'image.blocked': 'An image is now blocked',
    'image.cleared': 'An image is no longer blocked',
    'vulnerability.appeared': 'An image has a new vulnerability',
    'waiver.waiting': 'A waiver needs my review',
    'waiver.decided': 'My waiver was approved, rejected or revoked',
    'waiver.ending': 'My waiver ends soon',
  },
  mailedTo: (address: string) => `E-mail is sent to ${address}.`,
  noMail: 'This installation sends no e-mail.',
  askForMail: 'An administrator can set up a mail server.',
  setUpMail: 'Set up a mail server',
  noAddress: 'No e-mail is sent to you, because your account has no e-mail address.',
  askForAddress: 'An administrator can add one.',
  addAddress: 'Add an address',
};
