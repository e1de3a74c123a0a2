import { describe, expect, it } from 'vitest';
import type { UnlessFixes } from '../policy/vulnerability.ts';
import { type FixQuestion, fixedIn } from './age-fixes.ts';
import {
  factsFixture,
  findingFixture,
  IMAGE,
  NOW,
  policyFixture,
  waiverFixture,
} from './standing.fixture.ts';

const EXPLOITED = findingFixture({ id: 'CVE-2026-1', severity: 'LOW' });
const BLOCKING = findingFixture({ id: 'CVE-2026-2', severity: 'CRITICAL' });
const HARMLESS = findingFixture({ id: 'CVE-2026-3', severity: 'LOW' });
const kev = (readAt: Date): FixQuestion['feeds']['kev'] =>
  ({ readAt, has: (id: string) => id === EXPLOITED.id }) as FixQuestion['feeds']['kev'];

interface Case {
  unlessFixes: UnlessFixes;
  before?: (typeof BLOCKING)[];
  after?: (typeof BLOCKING)[];
  change?: Partial<FixQuestion>;
}

function fixed({ unlessFixes, before = [], after = [], change = {} }: Case): string[] {
  return fixedIn({
    policy: policyFixture({ id: 'p', unlessFixes }),
    before: { digest: 'sha256:before', facts: factsFixture(before) },
    after: factsFixture(after),
    ...{ waivers: [], feeds: { kev: kev(NOW), epss: null }, image: IMAGE, now: NOW },
    ...change,
  });
}

const PARTIAL = factsFixture([], { coverage: 'partial' });
const OLD_FEED = { kev: kev(new Date(0)), epss: null };
const WAIVED = [waiverFixture({ vulnerability: BLOCKING.id })];

describe('what an image fixes', () => {
  it.each<[string, Case, string[]]>([
    ['an exploited vulnerability', { unlessFixes: 'kev', before: [EXPLOITED] }, [EXPLOITED.id]],
    [
      'one of two exploited packages counts once',
      { unlessFixes: 'kev', before: [EXPLOITED, { ...EXPLOITED, package: 'zlib' }] },
      [EXPLOITED.id],
    ],
    [
      'not where it still has it',
      { unlessFixes: 'kev', before: [EXPLOITED], after: [EXPLOITED] },
      [],
    ],
    [
      'not where it has it in another package',
      { unlessFixes: 'kev', before: [EXPLOITED], after: [{ ...EXPLOITED, package: 'zlib' }] },
      [],
    ],
    ['not what is not exploited', { unlessFixes: 'kev', before: [BLOCKING, HARMLESS] }, []],
    [
      'not without a catalog',
      { unlessFixes: 'kev', before: [EXPLOITED], change: { feeds: { kev: null, epss: null } } },
      [],
    ],
    [
      'not by a catalog that is too old',
      { unlessFixes: 'kev', before: [EXPLOITED], change: { feeds: OLD_FEED } },
      [],
    ],
    ['all that blocks', { unlessFixes: 'blocking', before: [BLOCKING] }, [BLOCKING.id]],
    ['not what does not block', { unlessFixes: 'blocking', before: [EXPLOITED, HARMLESS] }, []],
    [
      'not a part of what blocks',
      {
        unlessFixes: 'blocking',
        before: [BLOCKING, { ...BLOCKING, id: 'CVE-2026-9' }],
        after: [BLOCKING],
      },
      [],
    ],
    [
      'not what a waiver covers',
      { unlessFixes: 'blocking', before: [BLOCKING], change: { waivers: WAIVED } },
      [],
    ],
    [
      'not by a report with a gap',
      { unlessFixes: 'blocking', before: [BLOCKING], change: { after: PARTIAL } },
      [],
    ],
    ['not where the policy has no exception', { unlessFixes: 'none', before: [BLOCKING] }, []],
  ])('%s', (_, asked, expected) => {
    expect(fixed(asked)).toEqual(expected);
  });
});
