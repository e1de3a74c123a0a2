import { expect, it } from 'vitest';
import { secondsLeft } from './time-left.ts';

const COUNTERS = { phase: 'pull', blobs_done: 0, blobs_total: 3, bytes_reused: 0 } as const;

it.each([
  ['half is transferred', 500, 10, 50],
  ['very little is transferred: no estimate', 9, 10, null],
  ['nothing moves', 500, 0, null],
  ['everything is transferred', 1000, 10, null],
])('where %s', (_, bytes_done, rate, left) => {
  expect(secondsLeft({ ...COUNTERS, bytes_done, bytes_total: 1000, rate })).toBe(left);
});
