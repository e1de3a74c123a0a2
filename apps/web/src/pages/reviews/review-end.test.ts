import { expect, it } from 'vitest';
import { endOfDay } from '../job/review/review-form.ts';
import { isEnd, proposedDay, soonerEnd } from './review-end.ts';

const ASKED = endOfDay('2026-12-31');
const NOW = Date.parse(endOfDay('2026-11-29')) - 1_000;

it.each([
  ['2026-11-28', false],
  ['2026-11-29', true],
  ['2026-12-31', true],
  ['2027-01-01', false],
  ['0002-12-31', false],
  ['20266-12-01', false],
  ['', false],
])('%s may be its last day: %s', (day, expected) => {
  expect(isEnd(day, ASKED, NOW)).toBe(expected);
});

it('is sent where it is sooner than what was asked for', () => {
  expect(soonerEnd('2026-12-13', ASKED)).toBe(endOfDay('2026-12-13'));
  expect(soonerEnd('2026-12-31', ASKED)).toBeNull();
});

it('is first the soonest of what was asked for and approved', () => {
  expect(proposedDay(ASKED, [])).toBe('2026-12-31');
  const approvals = [{ until: null }, { until: endOfDay('2026-12-05') }];
  expect(proposedDay(ASKED, approvals)).toBe('2026-12-05');
});
