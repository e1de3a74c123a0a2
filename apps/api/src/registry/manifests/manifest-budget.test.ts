import { MAX_MANIFEST_BYTES } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { costOf } from './manifest-budget.ts';

it.each([
  [0, 1],
  [2_000, 1],
  [65_535, 1],
  [65_536, 2],
  [1_300_000, 20],
  [MAX_MANIFEST_BYTES, 65],
])('G9: a manifest of %i bytes costs %i', (bytes, cost) => {
  expect(costOf(bytes)).toBe(cost);
});
