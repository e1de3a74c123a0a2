import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseScopes } from './scope.ts';

it.each([
  [['repository:a/b:pull,push'], [['a/b', ['pull', 'push']]]],
  [
    ['repository:a:pull repository:b:pull'],
    [
      ['a', ['pull']],
      ['b', ['pull']],
    ],
  ],
  [['repository:a:*'], [['a', ['pull', 'push', 'delete']]]],
  [['registry:catalog:*'], [['catalog', ['*']]]],
  [
    [
      'registry:catalog:pull',
      'registry:other:*',
      'repository:A:pull',
      'repository:h:5000/a:pull',
      '',
    ],
    [],
  ],
])('%j', (values, expected) => {
  expect(parseScopes(values).map(({ name, actions }) => [name, actions])).toEqual(expected);
});

it('a token with all requested scopes fits into a header', () => {
  const words = fc.array(fc.stringMatching(/^repository:[a-z]{1,255}:(pull|push|\*)$/), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(words, (scopes) => {
      expect(
        Buffer.from(JSON.stringify(parseScopes(scopes))).toString('base64url').length,
      ).toBeLessThan(7_200);
    }),
  );
});
