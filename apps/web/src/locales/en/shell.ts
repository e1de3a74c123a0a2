export const shell = {
  skip: 'Skip to content',
  away: {
    database: {
      title: 'The database does not answer',
      help: 'Nothing can be read or changed until it is back. Jobs that run go on afterwards.',
    },
    redis: {
      title: 'Redis does not answer',
      help: 'Logins with a password are refused, and new jobs start when it is back.',
    },
    registry: {
      title: 'The built-in registry does not answer',
      help: 'Its images can be neither listed, pulled nor pushed until it is back.',
    },
    disk: {
      title: 'The disk is almost full',
      help: 'Pulls, scans and pushes wait until there is space again. Administrators free it by deleting staged images and collecting garbage.',
    },
  },
  menu: 'Menu',
  mainNavigation: 'Main',
  administrator: 'Administrator',
  sections: { settings: 'Settings', operation: 'Operation' },
  schemes: { light: 'Light', dark: 'Dark', auto: 'System' },
  language: 'Language',
  appearance: 'Appearance',
  shortcuts: 'Keyboard shortcuts',
  goTo: (place: string) => `Go to ${place}`,
  searchHere: 'Search on this page',
  showHelp: 'Show this help',
  after: 'then',
  changePassword: 'Change password',
  signOut: 'Sign out',
  loading: 'Loading',
};

export const navigation = {
  dashboard: 'Overview',
  staging: 'Staging',
  images: 'Images',
  transfers: 'Transfers',
  registries: 'Registries',
  account: 'My account',
  users: 'Users',
  groups: 'Groups',
  folders: 'Folders & rights',
  scan: 'Scan policy',
  signOn: 'Single sign-on',
  network: 'Network',
  audit: 'Audit log',
  system: 'System',
};
