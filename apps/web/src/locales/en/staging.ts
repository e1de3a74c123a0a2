import type { JobStatus } from '@portcullis/domain';
import { counter } from '../../i18n/count.ts';

type StatusWords = Record<JobStatus, string>;

const count = counter('en');

export const staging = {
  title: 'Staging',
  lead: 'Images on their way through the gate.',
  pull: 'Pull an image',
  status: {
    pull_queued: 'Waiting to be pulled',
    pulling: 'Pulling',
    scan_queued: 'Waiting for the scan',
    scanning: 'Scanning',
    staged: 'Ready for review',
    push_queued: 'Waiting to be pushed',
    pushing: 'Pushing',
    pushed: 'Pushed',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } as StatusWords,
  image: 'Image',
  state: 'State',
  result: 'Verdict',
  updated: 'Updated',
  owner: 'By',
  search: 'Image, tag or digest',
  filters: {
    all: 'All',
    running: 'Running',
    review: 'For review',
    pushed: 'Pushed',
    ended: 'Failed',
  },
  filterLabel: 'Show',
  jobs: (n: number) => count(n, 'job', 'jobs'),
  more: 'Show more',
  emptyTitle: 'Nothing in staging yet',
  emptyText:
    'Pull an image: it is copied here, scanned, and waits for your decision. Nothing reaches your registry before that.',
  noMatchTitle: 'No job matches',
  noMatchText: 'Try other words or another filter.',
  clear: 'Clear the filters',
  left: (time: string) => `${time} left`,
  reused: (bytes: string) => `${bytes} reused`,
  ofBytes: (done: string, total: string) => `${done} of ${total}`,
  feed: {
    live: 'Live',
    connecting: 'Connecting…',
    polling: 'Connection lost, asking every few seconds',
  },
};
