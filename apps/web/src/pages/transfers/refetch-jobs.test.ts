import { expect, it } from 'vitest';
import { jobsMs } from './refetch-jobs.ts';

it('jobs that need many requests are loaded again at most once a minute', () => {
  expect(jobsMs('polling', 1000)).toBe(5_000);
  expect(jobsMs('polling', 1001)).toBe(60_000);
  expect(jobsMs('connecting', 5000)).toBe(60_000);
  expect(jobsMs('live', 0)).toBe(60_000);
});
