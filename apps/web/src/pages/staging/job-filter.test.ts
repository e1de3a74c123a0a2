import { describe, expect, it } from 'vitest';
import { conditionsOf, isFiltered, NO_FILTER, parametersOf, readFilter } from './job-filter.ts';
import { secondsLeft } from './time-left.ts';

const ALL = { ...NO_FILTER, sort: '-created_at' } as const;

describe('the filter of the list', () => {
  it.each([
    ['', ALL],
    ['show=review&q=nginx', { ...ALL, show: 'review', q: 'nginx' }],
    ['verdict=error&owner=mira', { ...ALL, verdict: 'error', owner: 'mira' }],
    ['range=week&sort=-image', { ...ALL, range: 'week', sort: '-image' }],
  ])('in the URL “%s” is read and written unchanged', (address, filter) => {
    expect(readFilter(new URLSearchParams(address))).toEqual(filter);
    expect(new URLSearchParams(parametersOf(readFilter(new URLSearchParams(address))))).toEqual(
      new URLSearchParams(address),
    );
  });

  it.each(['show=nonsense', 'show=toString', 'verdict=fine', 'sort=size', 'range=never'])(
    'leaves out what it does not know: %s',
    (address) => {
      expect(readFilter(new URLSearchParams(address))).toEqual(ALL);
    },
  );

  it.each([
    ['failed', { status: ['failed'], blocked: 'false' }],
    ['cancelled', { status: ['cancelled'] }],
  ] as const)('tells the %s jobs from the others', (show, conditions) => {
    expect(conditionsOf({ ...ALL, show }, 0)).toEqual(conditions);
  });

  it('is none where only the order is another one', () => {
    expect(isFiltered({ ...ALL, sort: 'image' })).toBe(false);
    expect(isFiltered({ ...ALL, verdict: 'blocked' })).toBe(true);
  });

  it('becomes conditions of the API', () => {
    const now = Date.parse('2026-11-24T12:00:30Z');
    const filter = { ...ALL, show: 'blocked', owner: 'mira', range: 'day' } as const;
    expect(conditionsOf(filter, now)).toEqual({
      blocked: 'true',
      owner: 'mira',
      since: '2026-11-23T12:00:00.000Z',
    });
  });
});

const RUNNING = { phase: 'pull', blobs_done: 0, blobs_total: 1, bytes_reused: 0 } as const;
it.each([
  [{ ...RUNNING, bytes_done: 20, bytes_total: 100, rate: 10 }, 8],
  [{ ...RUNNING, bytes_done: 20, bytes_total: 100, rate: 0 }, null],
  [{ ...RUNNING, bytes_done: 100, bytes_total: 100, rate: 10 }, null],
])('%j takes %s more seconds', (progress, seconds) => {
  expect(secondsLeft(progress)).toBe(seconds);
});
