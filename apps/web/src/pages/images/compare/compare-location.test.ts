import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comparePath, nameOfImage, readPair, writePair } from './compare-location.ts';

it('the address of a comparison names both images', () => {
  const text = fc.string();
  fc.assert(
    fc.property(
      fc.record({ repository: text, from: text, toRepository: text, to: text, platform: text }),
      (pair) => {
        expect(readPair(new URLSearchParams(writePair(pair)))).toEqual(pair);
      },
    ),
  );
});

it('a comparison of a tag begins in its repository', () => {
  const path = comparePath({ registryId: '__local__', repository: 'team/app' }, '1.0');
  expect(readPair(new URL(path, 'http://here').searchParams)).toEqual({
    repository: 'team/app',
    from: '',
    toRepository: 'team/app',
    to: '1.0',
    platform: '',
  });
});

it('a digest follows an @', () => {
  expect(nameOfImage('app', '1')).toBe('app:1');
  expect(nameOfImage('app', 'sha256:ab')).toBe('app@sha256:ab');
});
