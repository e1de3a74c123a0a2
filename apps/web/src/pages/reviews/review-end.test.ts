import { expect, it } from 'vitest';
import { endOfDay } from '../job/review/review-form.ts';
import { soonerEnd } from './review-end.ts';

const ASKED = endOfDay('2026-12-31');

it.each([
  ['2026-12-13', endOfDay('2026-12-13')],
  ['2026-12-31', null],
  ['2027-01-01', null],
  ['', null],
])('of %s is %s', (day, end) => {
  expect(soonerEnd(day, ASKED)).toBe(end);
});
