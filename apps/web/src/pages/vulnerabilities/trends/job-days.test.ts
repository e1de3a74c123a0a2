import { describe, expect, it } from 'vitest';
import { jobDays, jobTotals } from './job-days.ts';

const day = { day: '2026-11-21', total: 10, pushed: 4, failed: 1, blocked: 2 };

describe('the jobs of each day', () => {
  it.each([
    [
      'jobs that are neither pushed, blocked nor failed are the rest',
      day,
      { blocked: 2, other: 3 },
    ],
    ['a blocked job that was pushed counts once', { ...day, pushed: 8 }, { blocked: 1, other: 0 }],
    ['no part is negative', { ...day, total: 0, pushed: 0, failed: 0 }, { blocked: 0, other: 0 }],
  ])('%s', (_, given, expected) => {
    expect(jobDays([given])[0]).toMatchObject(expected);
  });

  it('adds up to the totals', () => {
    expect(jobTotals(jobDays([day, day]))).toEqual({
      total: 20,
      pushed: 8,
      blocked: 4,
      failed: 2,
      other: 6,
    });
  });
});
