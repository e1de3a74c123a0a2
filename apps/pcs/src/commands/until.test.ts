import { expect, it } from 'vitest';
import { endOf } from './until.ts';

const NOW = new Date('2026-11-24T08:00:00Z');

it.each([
  ['30d', '2026-12-24T08:00:00.000Z'],
  ['2027-01-31', '2027-01-31T23:59:59.000Z'],
  ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
])('--until %s is %s', (text, end) => expect(endOf(text, NOW).toISOString()).toBe(end));

it.each(['soon', '2027-13-01', ''])('--until "%s" is wrong usage', (text) =>
  expect(() => endOf(text, NOW)).toThrow('is no date'),
);
