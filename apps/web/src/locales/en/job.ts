import { counter } from '../../i18n/count.ts';

const count = counter('en');

export const job = {
  upgrades: {
    title: 'What would clear it',
    inBase: 'In the base image: build on a newer one',
    inOwn: 'In your own layers',
    clears: (n: number) => `clears ${count(n, 'vulnerability', 'vulnerabilities')}`,
    more: (n: number) => `and ${count(n, 'more package', 'more packages')}`,
    unfixed: (n: number, names: string) =>
      `No fix yet for ${count(n, 'vulnerability', 'vulnerabilities')}, such as ${names}: only a waiver allows the push.`,
  },
  openImage: 'Open the image, with its pull commands',
  back: 'Staging',
  push: 'Push…',
  pushAgain: 'Push again…',
  more: 'More actions',
  cancel: 'Cancel',
  retry: 'Retry',
  rescan: 'Scan again',
  remove: 'Delete',
  removed: (image: string) => `${image} was deleted.`,
  summary: {
    waiting: 'Waiting for a free worker.',
    pulling: (host: string) => `Pulling from ${host}. The scan starts automatically.`,
    scanning: 'The image is being scanned.',
    findings: (found: string, blocking: string) =>
      `${found}. None of them is blocked by the policy (${blocking}).`,
    earlier: (at: string) =>
      `The scan of ${at} failed. The results shown are those of the previous scan.`,
    artifact: (type: string) =>
      `This is no container image but an artifact (${type}), such as a Helm chart. Artifacts are not scanned; the policy decides whether they may be pushed.`,
    blocked: (blocking: string, fixable: string) =>
      `The scan policy blocks this image: ${blocking}. ${fixable}`,
    fixable: (n: number, total: number) =>
      n === 0 ? 'No fix is available yet.' : `${n} of ${total} can be fixed by an update.`,
    failed: 'The job did not get this far.',
    cancelled: 'The job was cancelled.',
    atSource: (text: string) => `At the source: ${text}`,
    atTarget: (text: string) => `At the destination: ${text}`,
  },
  facts: 'Details',
  digest: 'Digest',
  size: 'Size',
  platforms: 'Platforms',
  all: 'All',
  owner: 'Requested by',
  scanner: 'Scanner',
  database: 'Vulnerability database',
  os: 'Operating system',
  eosl: 'end of life',
  overrides: 'Policy overrides',
  noScan: 'not scanned',
  blocks: (list: string) => `blocks ${list}`,
  timeline: 'Timeline',
  to: (place: string) => `to ${place}`,
  event: {
    scan_disabled: 'Scanning is turned off.',
    scan_reused:
      'Not scanned again: the same image was already scanned by the same scanner with the same vulnerability database.',
    layers_missing:
      'The scan needs layers that were left at the source. They are being downloaded.',
    storage_lost:
      'The storage of the worker that had pulled the image is gone. The image is pulled again.',
    database_newer:
      'The vulnerability database is newer than the scan. The image is scanned again before the push.',
    policy_changed: 'The scan policy changed after the scan. The verdict was updated.',
    worker_stopped: 'The worker was stopped. Another worker continues.',
    preempted:
      'Waiting again so that jobs of other accounts can run. The job resumes where it stopped.',
    referrers_left:
      'Attached images were left at the source. Pull and scan each of them with its own job.',
    retried: 'Retried.',
    java_index_arrived: 'Scanned again: the Java index is now available.',
  },
  letThrough: (who: string) => `Passed the gate by the privilege of ${who}. `,
  pushes: 'Pushes',
  pushStatus: {
    queued: 'Waiting',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  mounted: (bytes: string) => `${bytes} already existed`,
  report: 'Download report',
  allPlatforms: 'All platforms',
  notes: 'Not covered by the scan',
};

export const push = {
  title: 'Push image',
  to: 'To',
  targets: { local: 'Built-in registry', saved: 'Saved registry', host: 'Other registry' },
  folder: 'Folder',
  noFolder: 'No folder (use the name below)',
  noFolders:
    'You are not allowed to push to any folder. Ask an administrator for the “Push” permission on one.',
  registry: 'Registry',
  host: 'Host',
  username: 'Username',
  password: 'Password or token',
  image: 'Image',
  tag: 'Tag',
  destination: 'Destination',
  asking: 'Checking…',
  incomplete: 'Enter a destination.',
  allowed: 'You are allowed to push here.',
  bypassed: 'Only because you may push blocked images.',
  refused: 'You are not allowed to push here.',
  byPolicy: (name: string) => `The policy ${name} decides.`,
  byDefaultPolicy: 'The default policy decides.',
  fixedIn: (version: string) => `fixed in ${version}`,
  noFix: 'no fix available',
  moreFindings: (count: number) => `and ${count} more`,
  waived: (until: string) => `Allowed by waivers until ${until}.`,
  decides: (folder: string) => `The permissions on the folder ${folder} apply.`,
  decidesRoot: 'The repository is in no folder: the permissions without a folder apply.',
  folderPick: 'Choose a folder',
  nothingThere: 'This tag does not exist yet.',
  sameThere: 'The same image is already there.',
  replaces: 'This tag exists and will be replaced:',
  bypass:
    'The scan policy blocks this image. Your account may push it anyway; the reason is kept with the push and in the audit log.',
  bypassReason: 'Why may this image pass?',
  submit: 'Push',
  cancel: 'Cancel',
};

export const findings = {
  title: 'Vulnerabilities',
  search: 'Search by CVE, package or path',
  fixable: 'Fixable only',
  groupBy: 'Group by',
  groups: { vulnerability: 'Vulnerability', package: 'Package' },
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  none: 'No matching vulnerabilities',
  noneText: 'Try another search or filter.',
  clear: 'Clear filters',
  installed: 'Installed',
  fixed: 'Fixed in',
  noFix: 'no fix available',
  rating: 'Severity',
  ratedBy: (severity: string, source: string) => `${severity} (rated by ${source})`,
  place: 'Found in',
  layer: 'Layer',
  platform: 'Platform',
  status: 'Status',
  score: (score: string) => `CVSS ${score}`,
  more: (n: string) => `and ${n} more`,
  advisory: 'View advisory',
};
