import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareChoices, compareTags } from './tag-order.ts';

describe('newest first', () => {
  it.each([
    ['versions by precedence', ['1.9.0', '1.10.0', 'v1.2.0'], ['1.10.0', '1.9.0', 'v1.2.0']],
    [
      'a release is newer than its candidates',
      ['1.0.0-rc.2', '1.0.0', '1.0.0-rc.10'],
      ['1.0.0', '1.0.0-rc.10', '1.0.0-rc.2'],
    ],
    [
      'versions come before what is none',
      ['latest', '0.0.1', 'zebra'],
      ['0.0.1', 'zebra', 'latest'],
    ],
    ['numbers count as numbers', ['2024-9-30', '2024-10-02'], ['2024-10-02', '2024-9-30']],
    ['two-part tags, too', ['1.9', '1.27', '1.27-alpine'], ['1.27-alpine', '1.27', '1.9']],
    [
      'numbers beyond 2^53',
      ['b9007199254740993', 'b9007199254740992'],
      ['b9007199254740993', 'b9007199254740992'],
    ],
  ])('%s', (_, tags, expected) => {
    expect([...tags].sort(compareTags)).toEqual(expected);
  });

  const someTag = fc.oneof(
    fc.stringMatching(/^v?\d{1,3}\.\d{1,3}\.\d{1,3}(-[a-z0-9]{1,3})?$/),
    fc.stringMatching(/^[\w][\w.-]{0,8}$/),
  );

  it('is a total order: the order of arrival does not matter', () => {
    fc.assert(
      fc.property(fc.uniqueArray(someTag, { maxLength: 30 }), fc.integer(), (tags, seed) => {
        const shuffled = [...tags].sort(
          (a, b) => ((a.length * seed) ^ b.length) - seed || (a < b ? 1 : -1),
        );
        expect(shuffled.sort(compareTags)).toEqual([...tags].sort(compareTags));
      }),
    );
  });
});

describe('suggestions', () => {
  it.each([
    ['begins with latest', ['2.0.0', 'latest', '10.0.0'], ['latest', '10.0.0', '2.0.0']],
    ['not with what only contains it', ['latest-arm64', '1.0.0'], ['1.0.0', 'latest-arm64']],
    [
      'has the rest newest first',
      ['1.10.0', '1.10.0-rc.1', '1.9.0', '2024-10', '2024-9'],
      ['1.10.0', '1.10.0-rc.1', '1.9.0', '2024-10', '2024-9'],
    ],
  ])('%s', (_, tags, expected) => {
    expect(tags.toReversed().sort(compareChoices)).toEqual(expected);
  });
});
