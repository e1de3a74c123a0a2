/** Medians, ratios and cells of the benchmarks. */
import { expect, it } from 'vitest';
import { AIMS } from '../../tools/bench/aims.ts';
import { type Cost, compareRow, median, ratios, summary } from '../../tools/bench/figures.ts';

const costs = (...seconds: number[]): Cost[] =>
  seconds.map((each) => ({ seconds: each, cpu: each / 2, mib: each * 100 }));

it('the median of an even number of values is the mean of the middle two', () => {
  expect(median([9, 1, 3])).toBe(3);
  expect(median([4, 1, 2, 9])).toBe(3);
});

it('the ratios are those of neighbouring runs', () => {
  expect(ratios([1, 2], [3, 3])).toEqual([3, 1.5]);
});

it('a summary has the median, the range, the CPU time and the memory', () => {
  expect(summary(costs(1.5, 1.25, 2))).toBe('1.50 s (1.25–2.00), 0.75 s CPU, 150 MiB');
});

it('a row has the ratio to each peer, and marks a peer that is faster than the aim allows', () => {
  const { cells, least } = compareRow(AIMS.pull420, costs(1, 1), [costs(0.5, 0.7), costs(2, 2)]);
  expect(cells).toEqual([
    '1.00 s (1.00–1.00), 0.50 s CPU, 100 MiB',
    '0.60 s (0.50–0.70), 0.30 s CPU, 60 MiB: **0.60 × ⚠**',
    '2.00 s (2.00–2.00), 1.00 s CPU, 200 MiB: **2.00 ×**',
  ]);
  expect(least).toBeCloseTo(0.6);
});
