import { JOB_STATUSES } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { bytesSent, groupCounts, urgencyOf } from './job-groups.ts';

it('every status is in exactly one group', () => {
  const counts = Object.fromEntries(JOB_STATUSES.map((status) => [status, 1]));
  expect(groupCounts({ counts, blocked: 0 })).toEqual({
    done: 1,
    blocked: 0,
    review: 1,
    running: 3,
    waiting: 3,
    failed: 1,
    cancelled: 1,
    total: JOB_STATUSES.length,
  });
});

it.each([
  [{ failed: 3, pushed: 1 }, 2, { failed: 1, blocked: 2, review: 0, done: 1, total: 4 }],
  [{ failed: 2, staged: 2 }, 3, { failed: 0, blocked: 3, review: 1, total: 4 }],
])('of %j, %i that the gate stopped are a separate group', (counts, blocked, expected) => {
  expect(groupCounts({ counts, blocked })).toMatchObject(expected);
});

it('what the gate stopped is more urgent than what is open, and less than what failed', () => {
  const failed = urgencyOf({ status: 'failed', blocked: false });
  const blocked = urgencyOf({ status: 'failed', blocked: true });
  const staged = urgencyOf({ status: 'staged', blocked: false });
  expect([staged, blocked, failed].toSorted((a, b) => a - b)).toEqual([failed, blocked, staged]);
});

it('failed jobs come first and finished ones last; within a group the order stays', () => {
  const statuses = ['pushed', 'pulling', 'failed', 'scanning', 'cancelled', 'pull_queued'] as const;
  const urgency = (status: (typeof statuses)[number]) => urgencyOf({ status, blocked: false });
  expect(statuses.toSorted((a, b) => urgency(a) - urgency(b))).toEqual([
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
