import { describe, expect, it } from 'vitest';
import { matchesPattern } from './pattern.ts';

const WORKFLOW = 'https://github.com/org/app/.github/workflows/release.yml@refs/tags/v1';

describe('a pattern', () => {
  it.each([
    [WORKFLOW, WORKFLOW],
    [WORKFLOW.replace('v1', '*'), WORKFLOW],
    ['https://github.com/org/**', WORKFLOW],
    ['https://github.com/org/*/.github/workflows/*.yml@refs/tags/*', WORKFLOW],
    ['*@example.com', 'alice@example.com'],
    ['a**', 'a'],
    ['*b*', 'abc'],
  ])('%s accepts %s', (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(true);
  });

  it.each([
    ['a prefix of the identity', WORKFLOW.slice(0, -1), WORKFLOW],
    ['a prefix of the pattern', WORKFLOW, WORKFLOW.slice(0, -1)],
    [
      'another organisation that begins alike',
      'https://github.com/org/*',
      'https://github.com/org-x/y',
    ],
    ['a slash for one star', 'https://github.com/org/*', WORKFLOW],
    ['a dot for another sign', 'a.example', 'aXexample'],
    ['signs of regular expressions', '.*', 'anything'],
    ['a second line', 'alice@example.com', 'alice@example.com\nmallory@example.com'],
    ['other letters', 'Alice@example.com', 'alice@example.com'],
    ['nothing', 'a', ''],
  ])('does not take %s', (_, pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(false);
  });

  it('costs no more than the product of both lengths', () => {
    const pattern = `${'**a'.repeat(300)}b`;
    expect(matchesPattern(pattern, 'a'.repeat(1000))).toBe(false);
  });
});
