import { expect, it } from 'vitest';
import { firstPull, isBeginning, isBlank, startScanner } from './first-steps.ts';

it.each([
  ['is downloaded', { ok: false, code: 'SCANNER_PENDING' }, { is: 'pending', minutes: 2 }],
  ['is built', { ok: false, code: 'SCANNER_BUILDING' }, { is: 'pending', minutes: 10 }],
  [
    'has no database yet',
    { ok: false, code: 'SCAN_DATABASE_MISSING' },
    { is: 'pending', minutes: 1 },
  ],
  ['could not be set up', { ok: false, code: 'SCANNER_UNAVAILABLE' }, { is: 'failed' }],
  [
    'could not download its database',
    { ok: false, code: 'DATABASE_UNREACHABLE' },
    { is: 'failed' },
  ],
  ['fails without a code', { ok: false, code: null }, { is: 'failed' }],
  ['answers', { ok: true, code: null }, { is: 'ready' }],
  ['is off', { ok: true, code: 'SCANNER_DISABLED' }, { is: 'off' }],
])('the state of a scanner that %s', (_, check, state) => {
  expect(startScanner(check)).toEqual(state);
});

const stats = (tags: number, by_status: Record<string, number>) => ({
  tags,
  jobs: { by_status, per_day: [] },
});

it.each([
  ['nothing', stats(0, {}), { beginning: true, blank: true }],
  ['an image that is staged', stats(0, { staged: 1 }), { beginning: true, blank: false }],
  ['a pull that failed', stats(0, { failed: 1 }), { beginning: true, blank: false }],
  [
    'an image that was pushed elsewhere',
    stats(0, { pushed: 1 }),
    { beginning: false, blank: false },
  ],
  ['an image in the registry', stats(1, {}), { beginning: false, blank: false }],
])('an installation with %s', (_, counted, expected) => {
  expect({ beginning: isBeginning(counted), blank: isBlank(counted) }).toEqual(expected);
});

it.each([
  ['nothing', {}, 'open'],
  ['a pull that failed', { failed: 1 }, 'open'],
  ['a pull', { pulling: 1 }, 'waiting'],
  ['an image that waits for its scan', { scan_queued: 1, failed: 1 }, 'waiting'],
  ['a scanned image', { staged: 1, scanning: 1 }, 'done'],
])('the first pull of an installation with %s', (_, by_status, state) => {
  expect(firstPull(stats(0, by_status))).toBe(state);
});
