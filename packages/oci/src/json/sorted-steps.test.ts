import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inSlices } from './slices.ts';
import { sortedSteps } from './sorted-steps.ts';

const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

it('sorts as an array does, equal ones in their order, whatever the number of runs', async () => {
  const items = fc.array(fc.record({ key: fc.integer({ min: 0, max: 50 }), place: fc.nat() }), {
    maxLength: 1_000,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(items, async (some) => {
      expect(await inSlices(sortedSteps(some, byKey))).toEqual(some.toSorted(byKey));
    }),
    { numRuns: 50 },
  );
});

it('looks at few items in each step', () => {
  const items = Array.from({ length: 10_000 }, (_, place) => ({ key: (place * 7919) % 10_000 }));
  let compared = 0;
  let most = 0;
  const steps = sortedSteps(items, (one, other) => {
    compared += 1;
    return byKey(one, other);
  });
  for (let step = steps.next(); !step.done; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(3_000);
});
