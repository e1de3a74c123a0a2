import { chooser, counter } from '../../../i18n/count.ts';

const count = counter('en');
const choose = chooser('en');

/** What becomes of selected rows, outside of the list of jobs. */
export const rowActs = {
  tags: (n: number) => `${count(n, 'tag', 'tags')} will be deleted.`,
  scan: 'Scan',
  disable: 'Disable',
  enable: 'Enable',
  users: {
    disable: (n: number) => `${count(n, 'account', 'accounts')} will be disabled.`,
    enable: (n: number) => `${count(n, 'account', 'accounts')} will be enabled.`,
  },
  transfers: {
    cancel: (n: number) => `${count(n, 'transfer', 'transfers')} will be cancelled.`,
    remove: (n: number) => `${count(n, 'transfer', 'transfers')} will be deleted.`,
  },
  schedules: {
    pauseLabel: 'Pause',
    resumeLabel: 'Resume',
    pause: (n: number) => `${count(n, 'schedule', 'schedules')} will be paused.`,
    resume: (n: number) => `${count(n, 'schedule', 'schedules')} will be resumed.`,
    title: (n: number) => `Delete ${count(n, 'schedule', 'schedules')}?`,
    text: 'Deleted schedules will not run again. Their past transfers are kept.',
    remove: (n: number) => `${count(n, 'schedule', 'schedules')} will be deleted.`,
  },
  images: {
    scans: (n: number) => `${count(n, 'scan', 'scans')} requested.`,
    scanTitle: (n: number) => `Scan ${count(n, 'image', 'images')}?`,
    scanText: 'So many scans keep the scanner busy for a long time.',
    title: (n: number) => `Delete ${count(n, 'image', 'images')}?`,
    text: 'Images are deleted with all their tags, for everyone.',
    remove: (n: number) => `${count(n, 'image', 'images')} will be deleted.`,
  },
  groups: {
    title: (n: number) => `Delete ${count(n, 'group', 'groups')}?`,
    text: 'Members of a deleted group lose its permissions immediately. The accounts are kept.',
    remove: (n: number) => `${count(n, 'group', 'groups')} will be deleted.`,
  },
  robots: {
    disable: (n: number) =>
      `${count(n, 'robot', 'robots')} will be disabled, and all tokens revoked.`,
    enable: (n: number) => `${count(n, 'robot', 'robots')} will be enabled.`,
    title: (n: number) => `Delete ${count(n, 'robot', 'robots')}?`,
    text: 'Robots are deleted with their tokens, trust rules and jobs. Pipelines that use them are refused immediately.',
    remove: (n: number) => `${count(n, 'robot', 'robots')} will be deleted.`,
  },
  trusts: {
    disable: (n: number) => `${count(n, 'rule', 'rules')} will be disabled.`,
    enable: (n: number) => `${count(n, 'rule', 'rules')} will be enabled.`,
    title: (n: number) => `Delete ${count(n, 'trust rule', 'trust rules')}?`,
    text: 'Pipelines that sign in by a deleted rule are refused immediately.',
    remove: (n: number) => `${count(n, 'rule', 'rules')} will be deleted.`,
  },
  registries: {
    test: (n: number) =>
      `${count(n, 'registry is', 'registries are')} being tested. The list shows each result.`,
    title: (n: number) => `Delete ${count(n, 'registry', 'registries')}?`,
    text: 'Registries are deleted with their addresses and credentials. Transfers and schedules that use them will fail. Images are not deleted.',
    remove: (n: number) => `${count(n, 'registry', 'registries')} will be deleted.`,
  },
  leftOut: (n: number) =>
    `${count(n, 'selected row is', 'selected rows are')} left out: you are not allowed to delete ${choose(n, 'it', 'them')}.`,
  nothing: 'None of the selected rows can be changed in this way.',
};
