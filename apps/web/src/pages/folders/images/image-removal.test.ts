import { expect, it } from 'vitest';
import { ProblemError } from '../../../api/problem-error.ts';
import { imageRemovalOf } from './image-removal.ts';

const fulfilled = (...codes: string[]) =>
  ({
    status: 'fulfilled',
    value: { reasons: codes.map((code) => ({ code, count: 2, tags: ['1', '2'] })) },
  }) as const;

it('an image that keeps a tag is not deleted, and is named with each reason', () => {
  const reason = new ProblemError({ status: 403, code: 'FOLDER_FORBIDDEN' });
  const results = [
    fulfilled(),
    fulfilled('TAG_IMMUTABLE', 'REGISTRY_TIMEOUT'),
    { status: 'rejected', reason } as const,
    fulfilled('TAG_IMMUTABLE'),
  ];
  expect(imageRemovalOf(['a:1', 'b:1', 'c:1', 'd:1'], results)).toEqual({
    ...{ done: 1, refused: 0, failed: 3 },
    reasons: [
      { code: 'TAG_IMMUTABLE', count: 2, names: ['b:1', 'd:1'] },
      { code: 'REGISTRY_TIMEOUT', count: 1, names: ['b:1'] },
      { code: 'FOLDER_FORBIDDEN', count: 1, names: ['c:1'] },
    ],
  });
});
