import { JOB_STATUSES } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { bytesSent, byUrgency, groupCounts } from './job-groups.ts';

it('every status is in exactly one group', () => {
  const counts = Object.fromEntries(JOB_STATUSES.map((status) => [status, 1]));
  expect(groupCounts(counts)).toEqual({
    done: 1,
    review: 1,
    running: 3,
    waiting: 3,
    failed: 1,
    cancelled: 1,
    total: JOB_STATUSES.length,
  });
});

it('failed jobs come first and finished ones last; within a group the order stays', () => {
  const statuses = ['pushed', 'pulling', 'failed', 'scanning', 'cancelled', 'pull_queued'] as const;
  expect(byUrgency(statuses.map((status) => ({ status }))).map(({ status }) => status)).toEqual([
    'failed',
    'pulling',
    'scanning',
    'pull_queued',
    'cancelled',
    'pushed',
  ]);
});

it.each([
  [{ done: 10, reused: 3, mounted: 2 }, 5],
  [{ done: 10, reused: 10, mounted: 0 }, 0],
  [{ done: 1, reused: 3, mounted: 0 }, 0],
])('of %j, %i bytes were sent, without those that the target had', (bytes, sent) => {
  expect(bytesSent(bytes)).toBe(sent);
});
