import { expect, it } from 'vitest';
import { readFilter } from './job-filter.ts';
import { secondsLeft } from './time-left.ts';

it.each([
  ['', { show: 'all', q: '' }],
  ['show=review&q=nginx', { show: 'review', q: 'nginx' }],
  ['show=nonsense', { show: 'all', q: '' }],
  ['show=toString', { show: 'all', q: '' }],
])('the URL “%s” shows %j', (address, filter) => {
  expect(readFilter(new URLSearchParams(address))).toEqual(filter);
});

const RUNNING = { phase: 'pull', blobs_done: 0, blobs_total: 1, bytes_reused: 0 } as const;
it.each([
  [{ ...RUNNING, bytes_done: 20, bytes_total: 100, rate: 10 }, 8],
  [{ ...RUNNING, bytes_done: 20, bytes_total: 100, rate: 0 }, null],
  [{ ...RUNNING, bytes_done: 100, bytes_total: 100, rate: 10 }, null],
])('%j takes %s more seconds', (progress, seconds) => {
  expect(secondsLeft(progress)).toBe(seconds);
});
