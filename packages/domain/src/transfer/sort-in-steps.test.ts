import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortInSteps } from './sort-in-steps.ts';

function run<T>(steps: Generator<void, T>): { result: T; count: number } {
  for (let count = 0; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { result: value, count };
  }
}

it('sorts as sort does, and keeps the order of equal items', () => {
  const item = fc.record({ key: fc.nat(20), place: fc.nat() });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 2_000, size: 'max' }), (items) => {
      const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
      expect(run(sortInSteps(items, compare)).result).toEqual(items.toSorted(compare));
    }),
    { numRuns: 50 },
  );
});

it('takes few comparisons in a step', () => {
  let comparisons = 0;
  const items = Array.from({ length: 50_000 }, (_, at) => (at * 7_919) % 50_000);
  const { count } = run(
    sortInSteps(items, (one, other) => {
      comparisons += 1;
      return one - other;
    }),
  );
  expect(comparisons / count).toBeLessThan(3_000);
});
