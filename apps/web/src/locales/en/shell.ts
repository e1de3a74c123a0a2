import { counter } from '../../i18n/count.ts';

const count = counter('en');
export const shell = {
  skip: 'Skip to content',
  sampleData: {
    title: 'Sample data',
    help: 'Images, vulnerabilities and accounts are made up. Nothing here is about real software.',
  },
  away: {
    database: {
      title: 'The database is not responding',
      help: 'Nothing can be read or changed until it is back. Running jobs continue afterwards.',
    },
    redis: {
      title: 'Redis is not responding',
      help: 'Signing in with a password is not possible, and new jobs start when it is back.',
    },
    registry: {
      title: 'The built-in registry is not responding',
      help: 'Its images cannot be listed, pulled or pushed until it is back.',
    },
    disk: {
      title: 'The disk is almost full',
      help: 'Pulls, scans and pushes wait for free space. An administrator can free space by deleting staged images and running garbage collection.',
    },
    JOBS_WAIT_FOR_DISK: {
      title: 'Jobs have been waiting for free space',
      help: 'An administrator can free space by deleting staged images and running garbage collection, or provide a larger disk.',
    },
    REGISTRY_DISK_RESERVE: {
      title: 'The disk of the built-in registry is almost full',
      help: 'Pushes to it wait for free space. An administrator can delete images and run garbage collection.',
    },
    DISK_UNWRITABLE: {
      title: 'A worker cannot write to its disk',
      help: 'Its jobs wait until the disk takes writes again. An administrator should look at the disk and its mount.',
    },
  },
  search: 'Search',
  searchAll: 'Search everything',
  notifications: (n: number) =>
    n === 0 ? 'Notifications' : `Notifications, ${count(n, 'unread')}`,
  menu: 'Menu',
  mainNavigation: 'Main',
  administrator: 'Administrator',
  sections: { settings: 'Settings', operation: 'Operations' },
  schemes: { light: 'Light', dark: 'Dark', auto: 'System' },
  language: 'Language',
  appearance: 'Appearance',
  shortcuts: 'Keyboard shortcuts',
  goTo: (place: string) => `Go to ${place}`,
  searchHere: 'Search this page',
  showHelp: 'Show this help',
  after: 'then',
  changePassword: 'Change password',
  signOut: 'Sign out',
  toReview: (n: number) => count(n, 'waiting for your review'),
  loading: 'Loading',
};

export const navigation = {
  dashboard: 'Overview',
  staging: 'Staging',
  folderList: 'Folders',
  images: 'Images',
  vulnerabilities: 'Vulnerabilities',
  waivers: 'Waivers',
  transfers: 'Transfers',
  registries: 'Registries',
  account: 'My account',
  users: 'Users',
  groups: 'Groups',
  robots: 'Robots',
  folders: 'Permissions',
  scan: 'Scan policy',
  policies: 'Policies',
  signOn: 'Single sign-on',
  network: 'Network',
  webhooks: 'Webhooks',
  audit: 'Audit log',
  system: 'System',
};
