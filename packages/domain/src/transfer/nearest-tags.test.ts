import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestTags, newerVariant } from './nearest-tags.ts';

describe('the tags nearest to one', () => {
  it.each([
    ['the next newer version first', '1.27.3', ['1.29.0', '1.27.5', '1.27.2'], '1.27.5'],
    ['an older one where none is newer', '1.27.3', ['1.25.0', '1.27.2'], '1.27.2'],
    ['those of its variant first', '3.20-alpine', ['3.20.1', '3.22-alpine'], '3.22-alpine'],
    ['a variant whatever its version', '8-alpine3.19', ['8.1', '8.2-alpine3.22'], '8.2-alpine3.22'],
    ['a release, not its candidates', '1.0.0', ['1.1.0-rc.1', '1.2.0'], '1.2.0'],
    ['with and without v', 'v1.0.0', ['2.0.0', '1.0.1'], '1.0.1'],
    ['dates as versions', '2024-09-30', ['2025-01-01', '2024-10-02'], '2024-10-02'],
    ['the newest where the tag is no version', 'latest', ['1.0.0', '2.0.0'], '2.0.0'],
    ['the variant of a word', 'latest-slim', ['2.0.0', '1.0.0-slim'], '1.0.0-slim'],
  ])('are %s', (_, tag, others, first) => {
    expect(nearestTags(tag, others)[0]).toBe(first);
    expect(nearestTags(tag, others.toReversed())[0]).toBe(first);
  });

  it('are all of them, each once, without the tag itself', () => {
    const tag = fc.stringMatching(/^v?\d{0,3}(\.\d{1,2}){0,2}(-[a-z0-9.]{1,6})?$/);
    fc.assert(
      fc.property(tag, fc.array(tag, { maxLength: 20 }), (from, others) => {
        const expected = new Set(others.filter((other) => other !== from));
        expect(nearestTags(from, others).toSorted()).toEqual([...expected].toSorted());
      }),
    );
  });
});

describe('the newest tag of a variant', () => {
  it.each([
    ['a newer version', '1.27.3', ['1.27.5', '1.29.0', '1.30.0-alpine'], '1.29.0'],
    ['no candidate of a release', '1.27.3', ['1.30.0-rc.1', '1.27.4'], '1.27.4'],
    ['a version in place of a word', 'latest', ['1.29.0', 'stable'], '1.29.0'],
    ['none where it is the newest', '1.29.0', ['1.27.5', '1.29.0', '1.30-alpine'], null],
    ['none where there is no other', '1.29.0', [], null],
  ])('is %s', (_, tag, others, expected) => {
    expect(newerVariant(tag, others)).toBe(expected);
  });
});
