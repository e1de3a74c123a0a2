import { expect, it } from 'vitest';
import { secondsLeft } from './time-left.ts';

const COUNTERS = { phase: 'pull', blobs_done: 0, blobs_total: 3, bytes_reused: 0 } as const;

it.each([
  ['half of it is there', 500, 10, 50],
  ['hardly anything is there: it says nothing of the rest', 9, 10, null],
  ['nothing moves', 500, 0, null],
  ['all of it is there', 1000, 10, null],
])('where %s', (_, bytes_done, rate, left) => {
  expect(secondsLeft({ ...COUNTERS, bytes_done, bytes_total: 1000, rate })).toBe(left);
});
