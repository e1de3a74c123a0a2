import { counter, numberIn } from '../../i18n/count.ts';

const count = counter('en');
const number = numberIn('en');

export const dashboard = {
  title: 'Overview',
  asOf: (when: string) => `As of ${when}`,
  attention: 'Needs attention',
  allWell: 'Everything is up to date. Nothing needs your attention.',
  wellButBlocked: (n: number) =>
    `${count(n, 'image was', 'images were')} newly blocked since yesterday. Nothing else needs your attention.`,
  kinds: {
    jobs_blocked: (n: number) => `${count(n, 'image is blocked', 'images are blocked')} by policy`,
    jobs_failed: (n: number) =>
      `${count(n, 'job requested in the last 24 hours has', 'jobs requested in the last 24 hours have')} failed`,
    scanner_unavailable: () => 'The scanner is not available. New images cannot be scanned',
    scanner_db_old: (_: number, age: string) =>
      `The vulnerability database is ${age} old. Newer vulnerabilities are not found`,
    registry_unavailable: () => 'The built-in registry is not responding',
    disk_short: () => 'The disk is almost full. Pulls, scans and pushes wait for free space',
    disk_nearly_full: (n: number) => `The disk is ${count(n, 'percent', 'percent')} full`,
    events_lagging: (n: number) =>
      `${count(n, 'audit event has', 'audit events have')} not been delivered to the collector`,
    gc_failed: () => 'The last garbage collection failed',
  },
  look: 'View',
  repositories: 'Repositories',
  tags: (n: number) => count(n, 'tag', 'tags'),
  storage: 'Storage',
  eachOnce: 'Blobs counted once',
  free: (free: string, total: string) => `${free} of ${total} free`,
  findings: 'Vulnerabilities',
  fixable: (n: number) => `${count(n, 'is', 'are')} fixable`,
  scannedOf: (scanned: number, total: number) =>
    `${number(scanned)} of ${count(total, 'tagged image', 'tagged images')} scanned`,
  noImages: 'No tagged images yet',
  scanner: 'Vulnerability database',
  scannerUpdated: 'Updated',
  scannerOff: 'Scanner turned off',
  scannerAway: 'Scanner not available',
  accounts: 'Accounts',
  accountsText: (admins: number, disabled: number) =>
    `${count(admins, 'administrator', 'administrators')}, ${count(disabled, 'disabled', 'disabled')}`,
  jobs: 'Jobs in the last 30 days',
  jobsSentence: (total: number, pushed: number, blocked: number, failed: number) =>
    `${count(total, 'job', 'jobs')}: ${count(pushed, 'pushed', 'pushed')}, ${count(blocked, 'blocked', 'blocked')}, ${count(failed, 'failed', 'failed')}.`,
  noJobs: 'No jobs in the last 30 days. Pull an image to get started.',
  pull: 'Pull an image',
  series: { pushed: 'Pushed', other: 'Other', blocked: 'Blocked', failed: 'Failed' },
  day: 'Day',
  total: 'Total',
  asTable: 'Show as table',
  asChart: 'Show as chart',
  bySeverity: 'Vulnerabilities by severity',
  bySeverityText: 'In tagged images, by their latest scan.',
  noFindings: 'No vulnerabilities.',
  findingDays: 'Vulnerabilities by scan date',
  findingDaysSentence: (days: number, last: string, images: number, found: string) =>
    `Results of the latest scan of each image per day. Scans on ${count(days, 'day', 'days')} of the last 30; latest on ${last}: ${found} in ${count(images, 'image', 'images')}.`,
  found: (n: number) => count(n, 'vulnerability', 'vulnerabilities'),
  noScans: 'No scans in the last 30 days.',
  notScanned: 'No scans on this day',
  images: 'Images',
  byFolder: 'Storage by folder',
  folder: 'Folder',
  noFolder: 'No folder',
  size: 'Size',
  noStorage: 'No images are stored, or you do not have access to them.',
  vulnerable: 'Most vulnerable images',
  image: 'Image',
  scanned: 'Scanned',
  noVulnerable: 'No vulnerabilities in scanned images.',
  largest: 'Largest repositories',
  changes: 'New since yesterday',
  changesSentence: (blocked: number, cleared: number, found: number) =>
    `${count(blocked, 'image is', 'images are')} newly blocked, ${count(cleared, 'passes', 'pass')} again, ${count(found, 'vulnerability is', 'vulnerabilities are')} new.`,
  andMore: (shown: string, more: number) =>
    more > 0 ? `${shown} and ${number(more)} more` : shown,
  inImages: (id: string, images: number) => `${id} (${count(images, 'image', 'images')})`,
  now: 'Now',
  changed: 'Changed',
  passes: 'Passes again',
};

export const setup = {
  title: 'Set up Portcullis',
  progress: (done: number, all: number) =>
    `${number(done)} of ${count(all, 'step', 'steps')} done.`,
  hide: 'Hide this list',
  done: 'Done',
  open: 'Open',
  begin: 'Begin',
  steps: {
    scanner: {
      title: 'Scanner',
      text: 'The vulnerability database is still being downloaded, or the scanner does not answer.',
    },
    policy: {
      title: 'Scan policy',
      text: 'Choose the severities that block an image.',
    },
    group: {
      title: 'Groups',
      text: 'Create a group for each team.',
    },
    folder: {
      title: 'Folders',
      text: 'Create a folder for each team and give its group permissions.',
    },
    account: {
      title: 'Accounts',
      text: 'Create accounts, or turn on single sign-on.',
    },
    registry: {
      title: 'Registries',
      text: 'Save the registries that images are pulled from or pushed to. Docker Hub needs none.',
    },
  },
};

export const start = {
  title: 'Welcome to Portcullis',
  lead: 'Portcullis pulls container images, scans them and applies your policy; only what passes is pushed to your registry.',
  states: { open: 'Open', waiting: 'In progress', done: 'Done' },
  pull: {
    title: 'Pull your first image',
    text: 'From Docker Hub, or with the host of another registry: registry.example.com/team/app:1.0',
    reference: 'Image',
    act: 'Pull',
    more: 'More options',
    view: 'View in Staging',
  },
  registry: {
    title: 'Connect a registry',
    text: 'To pull from it or to push to it. Docker Hub and the built-in registry need no setup.',
    act: 'Add a registry',
  },
  samples: {
    title: 'Try with sample data',
    text: 'In a checkout of the repository, this command runs a separate installation with made-up images and vulnerabilities. It needs no Internet.',
    copy: 'Copy the command',
  },
  scanner: {
    ready: 'The scanner is ready.',
    off: 'Scanning is turned off.',
    failed: 'The scanner is not available: images that are pulled now wait for it.',
    pending: (minutes: number) =>
      `First scan possible in about ${number(minutes)} min. Images that are pulled now wait for it.`,
  },
};
