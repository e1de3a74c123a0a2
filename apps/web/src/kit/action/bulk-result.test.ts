import { expect, it } from 'vitest';
import { ProblemError } from '../../api/problem-error.ts';
import { bulkResultOf } from './bulk-result.ts';

const rejected = (reason: unknown) => ({ status: 'rejected', reason }) as const;
const refused = (status: number, code: string) => rejected(new ProblemError({ status, code }));

it('rows that failed are counted by their reason', () => {
  const results = [
    { status: 'fulfilled', value: undefined } as const,
    refused(409, 'LAST_ADMIN'),
    refused(404, 'USER_UNKNOWN'),
    refused(409, 'LAST_ADMIN'),
    rejected(new TypeError('a fault of the page')),
  ];
  expect(bulkResultOf(results)).toEqual({
    done: 1,
    refused: 0,
    failed: 4,
    reasons: [
      { code: 'LAST_ADMIN', count: 2 },
      { code: 'USER_UNKNOWN', count: 1 },
      { code: 'INTERNAL', count: 1 },
    ],
  });
});

it('rows that failed are named with their reason', () => {
  const results = [
    refused(404, 'GROUP_UNKNOWN'),
    { status: 'fulfilled', value: undefined } as const,
    refused(404, 'GROUP_UNKNOWN'),
  ];
  expect(bulkResultOf(results, ['a', 'b', 'c']).reasons).toEqual([
    { code: 'GROUP_UNKNOWN', count: 2, names: ['a', 'c'] },
  ]);
});
