import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestFirst } from './tag-order.ts';
import {
  compiled,
  MOST_STEPS,
  matcher,
  matchFault,
  matchingTags,
  newestOf,
  type TagMatch,
} from './tag-selection.ts';

/** A program of 1,000 instructions at each character of a tag and at its end. */
const MOST_STEPS_FOR_A_TAG = 1_000 * 129;

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

  it('an expression that is exponential for a backtracking engine takes few steps', () => {
    for (const match of [{ regex: '^(a+)+$' }, { glob: '*a'.repeat(60) }]) {
      const { matches, stepsFor } = compiled(match);
      const tag = `${'a'.repeat(127)}!`;
      expect(matches(tag)).toBe(false);
      expect(stepsFor(tag)).toBeLessThan(MOST_STEPS_FOR_A_TAG);
    }
  });

  it.each([
    `(?i)(?:${'\\w?'.repeat(75)}){1000}!`,
    '(((a?){10}){10}){10}!',
    'x{1000}'.repeat(30),
    '(?:.*a){1000,}',
    `(?i)${'[a-\\x{1F000}]'.repeat(18)}`,
    '(?i)[\\pL\\PL]'.repeat(25),
  ])('an expression of many steps is refused before it is compiled: %s', (regex) => {
    expect(matchFault({ regex })).toMatchObject({ code: 'PATTERN_TOO_COSTLY' });
    expect(() => matcher({ regex })).toThrow(
      expect.objectContaining({ code: 'PATTERN_TOO_COSTLY' }),
    );
  });

  it('no pattern that is accepted takes more steps for a tag than the longest program', () => {
    const piece = fc.constantFrom(
      ...['a', '*', '?', '.', '1', '||', ' - ', '>=', '<2', 'x', '{', ',', '}', '[!a-z]', '\\w'],
      ...['(', '(?i)', ')', '{9}', '{0,99}', '+', '\\pL', 'é'],
    );
    const text = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join('').slice(0, 255));
    const match = fc.oneof(
      text.map((regex) => ({ regex })),
      text.map((glob) => ({ glob })),
      text.map((semver) => ({ semver })),
    );
    fc.assert(
      fc.property(match, fc.string({ maxLength: 300 }), (given, tag) => {
        if (matchFault(given) !== null) return;
        expect(compiled(given).stepsFor(tag)).toBeLessThanOrEqual(MOST_STEPS_FOR_A_TAG);
      }),
    );
  });

  it('a name that is longer than a tag may be is not matched', () => {
    expect(matcher({ regex: 'a' })('a'.repeat(128))).toBe(true);
    expect(matcher({ regex: 'a' })('a'.repeat(129))).toBe(false);
    expect(matcher({ semver: '*' })(`1.0.${'1'.repeat(129)}`)).toBe(false);
  });

  it.each<[string, TagMatch]>([
    ['an expression', { regex: `(?i)(?:${'\\w?'.repeat(30)}){9}!` }],
    ['a range', { semver: Array.from({ length: 40 }, (_, major) => `^${major}`).join('||') }],
    ['a glob', { glob: '*a'.repeat(120) }],
  ])('%s is matched in slices, and others run between them', async (_, match) => {
    const matcher = compiled(match);
    const tags = Array.from({ length: 50 }, (_, n) => `${n}.0.0`.padEnd(100, '-a'));
    const budget = { steps: Number.MAX_SAFE_INTEGER };
    let matchedInSlice = 0;
    let most = 0;
    const counting = {
      ...matcher,
      matches(tag: string) {
        matchedInSlice += matcher.stepsFor(tag);
        most = Math.max(most, matchedInSlice);
        return matcher.matches(tag);
      },
    };
    const found = await matchingTags(counting, tags, {
      budget,
      pause: async () => {
        matchedInSlice = 0;
      },
    });
    expect(found).toEqual(tags.filter(matcher.matches));
    expect(most).toBeLessThanOrEqual(150_000);
    const steps = tags.reduce((sum, tag) => sum + matcher.stepsFor(tag), 0);
    expect(Number.MAX_SAFE_INTEGER - budget.steps).toBe(steps);
  });

  it('a pattern ends when its tags have taken all steps, and when the pause throws', async () => {
    const matcher = compiled({ regex: `(?i)(?:${'\\w?'.repeat(30)}){9}!` });
    const tags = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(128, 'a'));
    const pause = async () => {};
    await expect(
      matchingTags(matcher, tags, { budget: { steps: 1_000_000 }, pause }),
    ).rejects.toMatchObject({ code: 'PATTERN_TOO_COSTLY' });
    const ended = async () => {
      throw new Error('the deadline passed');
    };
    await expect(
      matchingTags(matcher, tags, { budget: { steps: MOST_STEPS }, pause: ended }),
    ).rejects.toThrow('the deadline passed');
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

  it('kept page by page equals choosing from all at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(someTag, { maxLength: 10 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 8 }),
        async (pages, count) => {
          let kept: string[] = [];
          for (const page of pages) kept = await newestOf(kept, page, count);
          expect(kept).toEqual(newestFirst(new Set(pages.flat())).slice(0, count));
          expect(kept.length).toBeLessThanOrEqual(count);
        },
      ),
    );
  });
});
