import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matcher, matchFault, newestOf, type TagMatch } from './tag-selection.ts';

const TAGS = [
  'latest',
  '1',
  '1.27',
  '1.27.3',
  'v1.28.0',
  '1.28.1-rc.1',
  '2.0.0',
  '2.0.0-alpine',
  'sha-abc',
  '1,5',
];
const chosen = (match: TagMatch) => TAGS.filter(matcher(match));

describe('tag selection', () => {
  it.each<[string, TagMatch, string[]]>([
    ['a glob means the whole tag', { glob: '1.27' }, ['1.27']],
    ['a star is any text', { glob: '1.27*' }, ['1.27', '1.27.3']],
    ['a question mark is one character', { glob: '1.2?' }, ['1.27']],
    [
      'a class is one of its characters',
      { glob: '[12].[0-9]*[0-9]' },
      ['1.27', '1.27.3', '1.28.1-rc.1', '2.0.0'],
    ],
    ['a negated class is none of them', { glob: '[!0-9]*' }, ['latest', 'v1.28.0', 'sha-abc']],
    ['braces are alternatives', { glob: '{latest,2.0.0}' }, ['latest', '2.0.0']],
    ['a comma outside braces is itself', { glob: '1,5' }, ['1,5']],
    ['a dot in a glob is a dot', { glob: '1?27' }, ['1.27']],
    [
      'a regular expression is found anywhere',
      { regex: 'a' },
      ['latest', '2.0.0-alpine', 'sha-abc'],
    ],
    ['a regular expression may be anchored', { regex: '^v\\d+' }, ['v1.28.0']],
    [
      'a range takes full versions, a leading v or not',
      { semver: '>=1.2 <2' },
      ['1.27.3', 'v1.28.0'],
    ],
    ['a pre-release is not in a range', { semver: '*' }, ['1.27.3', 'v1.28.0', '2.0.0']],
    [
      'a pre-release is in it where it is asked for',
      { semver: '>=1.28.1-0', prerelease: true },
      ['1.28.1-rc.1', '2.0.0', '2.0.0-alpine'],
    ],
  ])('%s', (_, match, expected) => {
    expect(chosen(match)).toEqual(expected);
  });

  it.each<[string, TagMatch, string]>([
    ['an open brace', { glob: '{a,b' }, '{a,b'],
    ['a brace in a brace', { glob: '{a,{b,c}}' }, '{a,{b,c}}'],
    ['a closing brace alone', { glob: 'a}' }, 'a}'],
    ['an expression RE2 does not know', { regex: '(?=a)b' }, '(?='],
    ['a back-reference', { regex: '(a)\\1' }, '\\1'],
    ['an open group', { regex: '(' }, '('],
    ['a range that is none', { semver: 'newest' }, 'newest'],
  ])('refused: %s', (_, match, at) => {
    expect(matchFault(match)?.params).toEqual({ grammar: Object.keys(match)[0], at });
  });

  it('an expression that is exponential for a backtracking engine is matched quickly', () => {
    const started = performance.now();
    expect(matcher({ regex: '^(a+)+$' })(`${'a'.repeat(127)}!`)).toBe(false);
    expect(matcher({ glob: '*a'.repeat(60) })(`${'a'.repeat(127)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('any pattern is accepted or refused with a known fault', () => {
    const pattern = fc.string({ maxLength: 40 });
    fc.assert(
      fc.property(
        fc.oneof(
          pattern.map((glob) => ({ glob })),
          pattern.map((regex) => ({ regex })),
        ),
        (match) => {
          if (matchFault(match) === null) expect(typeof matcher(match)('1.2.3')).toBe('boolean');
        },
      ),
    );
  });

  it('a glob without wildcards matches exactly itself', () => {
    const tag = fc.stringMatching(/^[\w][\w.-]{0,20}$/);
    fc.assert(
      fc.property(tag, tag, (glob, other) => {
        expect(matcher({ glob })(other)).toBe(glob === other);
        expect(matcher({ glob })(glob)).toBe(true);
      }),
    );
  });
});

describe('the newest of many', () => {
  const someTag = fc.oneof(
    fc.stringMatching(/^v?\d{1,3}\.\d{1,3}\.\d{1,3}(-[a-z0-9]{1,3})?$/),
    fc.stringMatching(/^[\w][\w.-]{0,8}$/),
  );

  it('kept page by page equals choosing from all at once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(someTag, { maxLength: 10 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 8 }),
        (pages, count) => {
          const kept = pages.reduce<string[]>((newest, page) => newestOf(newest, page, count), []);
          expect(kept).toEqual(newestOf([], pages.flat(), count));
          expect(kept.length).toBeLessThanOrEqual(count);
        },
      ),
    );
  });
});
