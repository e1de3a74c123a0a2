import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChallenges } from './challenge.ts';

const token = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const params = fc.dictionary(token, fc.string({ unit: fc.constantFrom(...'ab ,="\\:/éz') }), {
  minKeys: 1,
  noNullPrototype: true,
});
const challenges = fc.array(fc.record({ scheme: token, params }), { maxLength: 4 });

function write(list: { scheme: string; params: Record<string, string> }[]): string {
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  return list
    .map(
      ({ scheme, params }) =>
        `${scheme} ${Object.entries(params)
          .map(([name, value]) => `${name}=${quoted(value)}`)
          .join(', ')}`,
    )
    .join(', ');
}

describe('a challenge', () => {
  it('is parsed after formatting', () => {
    fc.assert(
      fc.property(challenges, (list) => {
        const read = parseChallenges(write(list));
        expect(read.map(({ scheme, params }) => ({ scheme, params: { ...params } }))).toEqual(list);
      }),
    );
  });

  it('of any text is parsed without an error', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseChallenges(text))));
  });

  it.each([
    [undefined, []],
    ['', []],
    ['Basic realm="x"', [['basic', { realm: 'x' }]]],
    ['Basic', [['basic', {}]]],
    [
      'Negotiate abc==, Basic realm=x',
      [
        ['negotiate', {}],
        ['basic', { realm: 'x' }],
      ],
    ],
    [
      'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull,push"',
      [
        [
          'bearer',
          {
            realm: 'https://auth.docker.io/token',
            service: 'registry.docker.io',
            scope: 'repository:a/b:pull,push',
          },
        ],
      ],
    ],
    ['Bearer realm = "a" , REALM="b"', [['bearer', { realm: 'a' }]]],
    ['Bearer realm="a\\"b', [['bearer', {}]]],
    [
      'Basic realm="a", Bearer realm="b"',
      [
        ['basic', { realm: 'a' }],
        ['bearer', { realm: 'b' }],
      ],
    ],
    ['Bearer __proto__="x"', [['bearer', JSON.parse('{"__proto__":"x"}')]]],
  ])('%j', (header, expected) => {
    expect(parseChallenges(header).map(({ scheme, params }) => [scheme, { ...params }])).toEqual(
      expected,
    );
  });
});
