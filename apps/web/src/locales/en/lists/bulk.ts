import { counter } from '../../../i18n/count.ts';

const count = counter('en');

export const bulk = {
  bar: 'Selected rows',
  selectEverything: (total: string) => `Select all ${total} that match`,
  everything: (total: string) => `All ${total} that match are selected`,
  clear: 'Clear selection',
  cancel: 'Cancel',
  retry: 'Retry',
  remove: 'Delete',
  undo: 'Undo',
  pending: {
    delete: (n: number) => `${count(n, 'job', 'jobs')} will be deleted.`,
    cancel: (n: number) => `${count(n, 'job', 'jobs')} will be cancelled.`,
    retry: (n: number) => `${count(n, 'job', 'jobs')} will run again.`,
  },
  partly: (done: number, left: number) =>
    `Done: ${count(done, 'row', 'rows')}. Not done: ${count(left, 'row', 'rows')}.`,
};
