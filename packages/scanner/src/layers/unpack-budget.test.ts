import { expect, it } from 'vitest';
import { unpackBudget } from './unpack-budget.ts';

const MiB = 1024 ** 2;

it.each([
  ['a small image any multiple of its size', 1000, 32_768 * MiB, 512 * MiB, '200 times'],
  ['an image two hundred times its size', 10 * MiB, 32_768 * MiB, 2000 * MiB, '200 times'],
  [
    'no image more than the setting',
    1000 * MiB,
    32_768 * MiB,
    32_768 * MiB,
    'SCAN_MAX_UNPACKED_BYTES',
  ],
  ['a small image no more than the setting either', 1000, MiB, MiB, 'SCAN_MAX_UNPACKED_BYTES'],
])('%s may unpack to', (_, packed, max, bytes, refusal) => {
  expect(unpackBudget(packed, max)).toEqual({ bytes, refusal: expect.stringContaining(refusal) });
});
