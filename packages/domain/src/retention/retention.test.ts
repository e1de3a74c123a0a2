import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { immutablePattern } from '../transfer/immutable-tags.ts';
import { expiredTags, keptBy, type RetentionRule, subjectOfTag } from './retention.ts';

const NOW = new Date('2026-11-27T00:00:00Z');
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const attachedTo = (letter: string, suffix = '.sig') => `sha256-${letter.repeat(64)}${suffix}`;

/** `[tag, days since its last push or since it was found, letter of its digest]` */
type Pushed = readonly [tag: string, days: number, letter?: string, found?: 'found'];

function tagOf([tag, days, letter = 'f', found]: Pushed) {
  const updatedAt = new Date(NOW.getTime() - days * 86_400_000);
  return { tag, digest: digest(letter), updatedAt, found: found !== undefined };
}

interface Given {
  immutable?: string[];
  /** Letters of the manifests that an index lists. */
  children?: Record<string, string[]>;
}

function removedBy(
  { keepNewest = null, keepDays = null, keep = [] }: Partial<RetentionRule>,
  pushed: readonly Pushed[],
  { immutable = [], children = {} }: Given = {},
): string[] {
  const listed = Object.entries(children).map(
    ([index, letters]) => [digest(index), letters.map(digest)] as const,
  );
  return expiredTags({ keepNewest, keepDays, keep }, pushed.map(tagOf), {
    now: NOW,
    patternOf: immutablePattern(immutable),
    children: new Map(listed),
  }).map(({ tag }) => tag);
}

describe('a rule', () => {
  it.each<[string, Partial<RetentionRule>, Pushed[], string[], Given?]>([
    [
      'keeps the newest tags',
      { keepNewest: 2 },
      [
        ['a', 3],
        ['b', 1],
        ['c', 2],
      ],
      ['a'],
    ],
    [
      'keeps all tags of a small repository',
      { keepNewest: 5 },
      [
        ['a', 900],
        ['b', 800],
      ],
      [],
    ],
    [
      'counts tags, not images',
      { keepNewest: 1 },
      [
        ['a', 1, 'a'],
        ['b', 2, 'a'],
      ],
      ['b'],
    ],
    [
      'decides between tags of one time by their versions',
      { keepNewest: 1 },
      [
        ['1.9', 1],
        ['1.10', 1],
      ],
      ['1.9'],
    ],
    [
      'keeps what was found, beside the newest, for 30 days',
      { keepNewest: 1 },
      [
        ['found', 29, 'a', 'found'],
        ['new', 30],
        ['old', 31],
      ],
      ['old'],
    ],
    [
      'counts what was found before, by versions',
      { keepNewest: 2 },
      [
        ['1.9', 30.9, 'a', 'found'],
        ['1.10', 30.99, 'a', 'found'],
        ['pushed', 30],
      ],
      ['1.9'],
    ],
    [
      'keeps the tags of the last days',
      { keepDays: 7 },
      [
        ['a', 6],
        ['b', 8],
      ],
      ['b'],
    ],
    ['keeps a tag up to the last moment', { keepDays: 7 }, [['a', 7]], []],
    [
      'may remove every tag by age',
      { keepDays: 7 },
      [
        ['a', 8],
        ['b', 9],
      ],
      ['a', 'b'],
    ],
    [
      'keeps what either number keeps',
      { keepNewest: 1, keepDays: 7 },
      [
        ['a', 8],
        ['b', 9],
        ['c', 9],
      ],
      ['b', 'c'],
    ],
    [
      'keeps new tags beyond the number',
      { keepNewest: 1, keepDays: 7 },
      [
        ['a', 1],
        ['b', 2],
      ],
      [],
    ],
    [
      'keeps what a glob matches',
      { keepNewest: 1, keep: ['v*'] },
      [
        ['x', 1],
        ['v1', 9],
        ['y', 9],
      ],
      ['y'],
    ],
    [
      'counts what a glob matches among the newest',
      { keepNewest: 1, keep: ['v*'] },
      [
        ['v1', 1],
        ['x', 2],
      ],
      ['x'],
    ],
    ['means the whole tag by a glob', { keepDays: 1, keep: ['v'] }, [['v1', 9]], ['v1']],
    [
      'keeps immutable tags',
      { keepDays: 1 },
      [
        ['v1', 9],
        ['x', 9],
      ],
      ['x'],
      { immutable: ['v*'] },
    ],
    ['removes nothing of an empty repository', { keepDays: 1 }, [], []],
    ['keeps no tag by a null number', { keepNewest: null, keepDays: 1 }, [['a', 2]], ['a']],
  ])('%s', (_, rule, pushed, removed, given) => {
    expect(removedBy(rule, pushed, given)).toEqual(removed);
  });

  it('is refused with a glob that does not parse', () => {
    expect(() => keptBy(['{v'])).toThrow('braces');
  });
});

describe('a signature', () => {
  it.each<[string, Pushed[], string[], Given?]>([
    [
      'goes with the last tag of its image',
      [
        ['old', 9, 'a'],
        [attachedTo('a'), 9],
      ],
      ['old', attachedTo('a')],
    ],
    [
      'stays with its image',
      [
        ['new', 0, 'a'],
        [attachedTo('a'), 9],
      ],
      [],
    ],
    [
      'stays while another tag has the image',
      [
        ['old', 9, 'a'],
        ['new', 0, 'a'],
        [attachedTo('a'), 9],
      ],
      ['old'],
    ],
    [
      'is not counted as a tag',
      [
        ['new', 2, 'a'],
        [attachedTo('a'), 1],
        [attachedTo('b'), 9],
      ],
      [attachedTo('b')],
      { immutable: ['new'] },
    ],
    [
      'of one platform stays with the index',
      [
        ['new', 0, 'a'],
        [attachedTo('b'), 9],
      ],
      [],
      { children: { a: ['b', 'c'] } },
    ],
    [
      'of one platform goes with the index',
      [
        ['old', 9, 'a'],
        [attachedTo('b'), 9],
      ],
      ['old', attachedTo('b')],
      { children: { a: ['b', 'c'] } },
    ],
    [
      'of an SBOM stays with the image',
      [
        ['new', 0, 'a'],
        [attachedTo('a', '.sbom'), 9, 'b'],
        [attachedTo('b'), 9],
      ],
      [],
    ],
    [
      'of an SBOM goes with the image',
      [
        ['old', 9, 'a'],
        [attachedTo('a', '.sbom'), 9, 'b'],
        [attachedTo('b'), 9],
      ],
      ['old', attachedTo('a', '.sbom'), attachedTo('b')],
    ],
    [
      'stays for a day without its image',
      [
        [attachedTo('a'), 0.9],
        [attachedTo('b'), 1.1],
      ],
      [attachedTo('b')],
    ],
    [
      'stays where it is immutable',
      [
        ['old', 9, 'a'],
        [attachedTo('a'), 9],
      ],
      ['old'],
      { immutable: ['*.sig'] },
    ],
  ])('%s', (_, pushed, removed, given) => {
    expect(removedBy({ keepDays: 1 }, pushed, given)).toEqual(removed);
  });

  it('list for a subject by sha512 is not counted, and stays: its image is not known', () => {
    const list: Pushed = [`sha512-${'a'.repeat(64)}`, 0, 'a'];
    const tags: Pushed[] = [list, ['new', 1], ['old', 2], [attachedTo('a'), 9]];
    expect(removedBy({ keepNewest: 1 }, tags)).toEqual(['old']);
    expect(
      removedBy({ keepDays: 1 }, [
        [list[0], 90],
        ['old', 2],
      ]),
    ).toEqual(['old']);
    for (const digits of [63, 65, 128])
      expect(removedBy({ keepDays: 1 }, [[`sha512-${'a'.repeat(digits)}`, 2]])).toHaveLength(1);
  });

  it('may be a list of referrers, and may belong to itself', () => {
    const own: Pushed = [attachedTo('a', ''), 9, 'a'];
    expect(removedBy({ keepDays: 1 }, [['new', 0, 'a'], own])).toEqual([]);
    expect(removedBy({ keepDays: 1 }, [own])).toEqual([own[0]]);
  });

  it('is told from a tag that only looks so', () => {
    expect(subjectOfTag(attachedTo('a'))).toBe(digest('a'));
    expect(subjectOfTag(attachedTo('a', ''))).toBe(digest('a'));
    for (const tag of ['sha256-aa', `${attachedTo('a', '')}x`, `v${attachedTo('a')}`, 'v1'])
      expect(subjectOfTag(tag)).toBeNull();
  });
});

describe('whatever the rule and the tags', () => {
  const globs = fc.array(fc.constantFrom('v*', '*1', 'x', '[a-w]?'), { maxLength: 2 });
  const rules = fc.record({
    keepNewest: fc.option(fc.integer({ min: 1, max: 4 })),
    keepDays: fc.option(fc.integer({ min: 1, max: 5 })),
    keep: globs,
  });
  const letter = fc.constantFrom('a', 'b', 'c', 'd');
  const name = fc.oneof(
    fc.constantFrom('v1', 'v2', 'x', 'y1', 'y2', 'z', 'latest'),
    fc.tuple(letter, fc.constantFrom('', '.sig', '.att')).map(([of, end]) => attachedTo(of, end)),
  );
  const tags = fc
    .uniqueArray(
      fc.tuple(
        name,
        fc.integer({ min: 0, max: 40 }),
        letter,
        fc.constantFrom('found' as const, undefined),
      ),
      {
        maxLength: 9,
        selector: ([tag]) => tag,
      },
    )
    .map((pushed) => pushed.map(tagOf));
  const children = fc.constantFrom(
    new Map<string, string[]>(),
    new Map([[digest('a'), [digest('b')]]]),
  );

  it('it removes nothing that a term keeps, and nothing more when it runs again', () => {
    fc.assert(
      fc.property(rules, tags, globs, children, (rule, given, immutable, listed) => {
        const patternOf = immutablePattern(immutable);
        const context = { now: NOW, patternOf, children: listed };
        const removed = new Set(expiredTags(rule, given, context));
        const rest = given.filter((tag) => !removed.has(tag));
        const days = (at: Date) => (NOW.getTime() - at.getTime()) / 86_400_000;
        const isKept = keptBy(rule.keep);
        for (const { tag, updatedAt } of removed) {
          expect(isKept(tag) || patternOf(tag) !== null).toBe(false);
          if (subjectOfTag(tag) !== null) continue;
          if (rule.keepDays !== null) expect(days(updatedAt)).toBeGreaterThan(rule.keepDays);
        }
        const own = given.filter(({ tag }) => subjectOfTag(tag) === null);
        const left = rest.filter(({ tag }) => subjectOfTag(tag) === null);
        expect(left.length).toBeGreaterThanOrEqual(Math.min(own.length, rule.keepNewest ?? 0));
        // A signature of an image that is left is left.
        const digests = new Set(left.map((tag) => tag.digest));
        for (const { tag } of removed) expect(digests.has(subjectOfTag(tag) ?? '')).toBe(false);
        expect(expiredTags(rule, rest, context)).toEqual([]);
      }),
    );
  });
});
