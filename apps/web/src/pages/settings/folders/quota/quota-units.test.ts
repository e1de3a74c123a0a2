import { expect, it } from 'vitest';
import { quotaBytes, writtenQuota } from './quota-units.ts';

it.each([
  [null, '', 'GB'],
  [1, 0.000001, 'MB'],
  [500_000_000, 500, 'MB'],
  [10_000_000_000, 10, 'GB'],
  [10_737_418_240, 10.73741824, 'GB'],
  [1_500_000_000_000, 1.5, 'TB'],
] as const)('%j bytes are written as %s %s, and read the same', (bytes, amount, unit) => {
  expect(writtenQuota(bytes)).toEqual({ amount, unit });
  expect(quotaBytes({ amount, unit })).toBe(bytes);
});

it('an empty field is no quota', () => {
  expect(quotaBytes({ amount: '', unit: 'TB' })).toBeNull();
});
