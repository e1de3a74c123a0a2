import { expect, it } from 'vitest';
import { ProblemError } from '../../../api/problem-error.ts';
import { removalResultOf } from './removal-result.ts';

const fulfilled = (deleted: string[], failed: [tag: string, code: string][]) =>
  ({
    status: 'fulfilled',
    value: { deleted, failed: failed.map(([tag, code]) => ({ tag, code, reason: 'in English' })) },
  }) as const;

it('a repository that keeps a tag is not deleted, and is named with each reason', () => {
  const forbidden = new ProblemError({ status: 403, code: 'FOLDER_FORBIDDEN' });
  const results = [
    fulfilled(['1', '2'], []),
    fulfilled(
      ['1'],
      [
        ['2', 'DELETE_UNSUPPORTED'],
        ['3', 'REGISTRY_TIMEOUT'],
        ['4', 'DELETE_UNSUPPORTED'],
      ],
    ),
    { status: 'rejected', reason: forbidden } as const,
    fulfilled([], []),
  ];
  expect(removalResultOf(['whole', 'partly', 'refused', 'empty'], results)).toEqual({
    done: 2,
    left: 2,
    kept: [
      { name: 'partly', tags: 2, code: 'DELETE_UNSUPPORTED' },
      { name: 'partly', tags: 1, code: 'REGISTRY_TIMEOUT' },
      { name: 'refused', tags: null, code: 'FOLDER_FORBIDDEN' },
    ],
  });
});
