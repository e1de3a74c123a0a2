import { expect, it } from 'vitest';
import { ProblemError } from '../../../api/problem-error.ts';
import { imageRemovalOf } from './image-removal.ts';

const fulfilled = (...codes: string[]) =>
  ({
    status: 'fulfilled',
    value: { reasons: codes.map((code) => ({ code, count: 2, tags: ['1', '2'] })) },
  }) as const;

const image = (name: string) => ({ id: `id of ${name}`, name });

it('an image that keeps a tag is not deleted, and is named with each reason', () => {
  const reason = new ProblemError({ status: 403, code: 'FOLDER_FORBIDDEN' });
  const results = [
    fulfilled(),
    fulfilled('TAG_IMMUTABLE', 'REGISTRY_TIMEOUT'),
    { status: 'rejected', reason } as const,
    fulfilled('TAG_IMMUTABLE'),
  ];
  expect(imageRemovalOf(['a:1', 'b:1', 'c:1', 'd:1'].map(image), results)).toEqual({
    ...{ done: 1, refused: 0, failed: 3 },
    reasons: [
      { code: 'TAG_IMMUTABLE', count: 2, names: ['b:1', 'd:1'] },
      { code: 'REGISTRY_TIMEOUT', count: 1, names: ['b:1'] },
      { code: 'FOLDER_FORBIDDEN', count: 1, names: ['c:1'] },
    ],
  });
});

it('an image whose tags need several requests is counted and named once', () => {
  const images = ['a:1', 'a:1', 'b:1', 'b:1', 'c:1', 'c:1'].map(image);
  const results = [
    ...[fulfilled(), fulfilled()],
    ...[fulfilled(), fulfilled('TAG_MOVED')],
    ...[fulfilled('TAG_MOVED'), fulfilled('TAG_MOVED', 'TAG_IMMUTABLE')],
  ];
  expect(imageRemovalOf(images, results)).toEqual({
    ...{ done: 1, refused: 0, failed: 2 },
    reasons: [
      { code: 'TAG_MOVED', count: 2, names: ['b:1', 'c:1'] },
      { code: 'TAG_IMMUTABLE', count: 1, names: ['c:1'] },
    ],
  });
});
