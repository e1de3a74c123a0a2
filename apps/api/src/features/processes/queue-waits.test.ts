import type { QueueDepth } from '@portcullis/queue';
import type { JobWaits } from '@portcullis/store';
import { describe, expect, it } from 'vitest';
import { waitingFor, withWaits } from './queue-waits.ts';

const IDLE = { waiting: 0, delayed: 0, running: 0, failed: 0, oldestAgeMs: null };
const depths: QueueDepth[] = [
  { ...IDLE, queue: 'pull', oldestAgeMs: 5_000 },
  { ...IDLE, queue: 'scan', oldestAgeMs: 9_000 },
  { ...IDLE, queue: 'push' },
  { ...IDLE, queue: 'tasks', oldestAgeMs: 3_000 },
];

const wait = (given: Partial<JobWaits>): JobWaits => ({
  stage: 'pull',
  code: null,
  side: null,
  count: 1,
  oldestMs: 1_000,
  ...given,
});

describe('the age of the oldest entry', () => {
  it('is that of the job that waits longest, whatever its queue entry says', () => {
    const waits = [
      wait({ oldestMs: 600_000, code: 'DISK_RESERVE' }),
      wait({ oldestMs: 60_000 }),
      wait({ stage: 'scan', oldestMs: 2_000 }),
      wait({ stage: 'push', oldestMs: 7_000 }),
    ];
    const ages = withWaits(depths, waits).map(({ queue, oldestAgeMs }) => [queue, oldestAgeMs]);
    expect(ages).toEqual([
      ['pull', 600_000],
      ['scan', 9_000],
      ['push', 7_000],
      ['tasks', 3_000],
    ]);
  });

  it('is none where nothing waits', () => {
    expect(withWaits([{ ...IDLE, queue: 'push' }], [])).toMatchObject([{ oldestAgeMs: null }]);
  });
});

it('jobs that were put off are counted by what they wait for', () => {
  const waits = [
    wait({ count: 40 }),
    wait({ count: 20, code: 'DISK_RESERVE', oldestMs: 5_000 }),
    wait({ count: 3, code: 'DISK_UNWRITABLE', stage: 'scan', oldestMs: 8_000 }),
    wait({ count: 2, code: 'RATE_LIMITED', side: 'source', oldestMs: 3_000 }),
    wait({ count: 1, code: 'INTERNAL', oldestMs: 2_000 }),
  ];
  expect(waitingFor(waits)).toEqual({
    disk: { count: 23, oldestMs: 8_000 },
    registry: { count: 2, oldestMs: 3_000 },
    other: { count: 1, oldestMs: 2_000 },
  });
});
