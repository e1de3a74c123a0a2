import { expect, it } from 'vitest';
import { ProblemError } from '../../api/problem-error.ts';
import { inSteps, mergedResult } from './bulk-steps.ts';

it('no step has more rows than a request may have, and each row is in one', () => {
  const rows = Array.from({ length: 1_001 }, (_, n) => n);
  const steps = inSteps(rows, 500);
  expect(steps.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(steps.flat()).toEqual(rows);
  expect(inSteps(rows.slice(0, 500), 500)).toHaveLength(1);
  expect(inSteps([], 500)).toEqual([]);
});

it('the results of the steps are added up, and a step that failed counts with all its rows', () => {
  const done = (reasons: { code: string; count: number }[]) => ({
    status: 'fulfilled' as const,
    value: { done: 490, refused: 10, failed: 0, reasons },
  });
  const reason = new ProblemError({ status: 503, code: 'REGISTRY_DOWN' });
  expect(
    mergedResult(
      [
        done([{ code: 'IMAGE_UNKNOWN', count: 10 }]),
        { status: 'rejected', reason },
        done([{ code: 'IMAGE_UNKNOWN', count: 10 }]),
      ],
      [500, 500, 500],
    ),
  ).toEqual({
    ...{ done: 980, refused: 20, failed: 500 },
    reasons: [
      { code: 'IMAGE_UNKNOWN', count: 20 },
      { code: 'REGISTRY_DOWN', count: 500 },
    ],
  });
});
