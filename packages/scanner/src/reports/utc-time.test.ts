import { expect, it } from 'vitest';
import { utcOf } from './utc-time.ts';

it.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:50Z', '2026-01-02T03:04:50Z'],
  ['2026-01-02T03:04:05.120Z', '2026-01-02T03:04:05.12Z'],
  ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456789Z'],
  ['2026-01-02T03:04:05+01:00', '2026-01-02T02:04:05Z'],
  ['no time', 'no time'],
  ['', null],
  [null, null],
])('the time %j is written as %j', (time, written) => {
  expect(utcOf(time)).toBe(written);
});
