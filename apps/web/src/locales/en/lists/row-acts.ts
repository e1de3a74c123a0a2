import { counter } from '../../../i18n/count.ts';

const count = counter('en');

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
  nothing: 'None of the selected rows can be changed in this way.',
};
