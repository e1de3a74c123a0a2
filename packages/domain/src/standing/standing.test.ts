import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThreatFeeds } from '../feeds/threat-feeds.ts';
import { judge } from '../policy/verdict.ts';
import { type ScanReport, SEVERITIES } from '../policy/vulnerability.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import type { Waiver } from '../waivers/waiver.ts';
import { bentBy, defaultPolicy, isRelaxedBy, type PolicyRule } from './policy.ts';
import { type Finding, factsOf } from './report-facts.ts';
import {
  daysLater,
  factsFixture,
  findingFixture,
  IMAGE,
  NOW,
  policyFixture,
  ruleFixture,
  standingFixture,
  UNASKED,
  waiverFixture,
} from './standing.fixture.ts';
import { type Standing, standingOf } from './standing.ts';

const NONE: ThreatFeeds = { kev: null, epss: null };
const FEEDS: ThreatFeeds = {
  kev: { readAt: NOW, has: (id) => id === 'CVE-2026-1' },
  epss: { readAt: NOW, score: (id) => (id === 'CVE-2026-1' ? 0.5 : null) },
};
const OTHER = { id: 'CVE-2026-2' };

describe('a rule', () => {
  it.each<[string, Partial<PolicyRule>, Partial<Finding>, boolean]>([
    ['of high severities blocks a high finding', {}, {}, true],
    ['of high severities allows a medium finding', {}, { severity: 'MEDIUM' }, false],
    ['for fixable findings blocks one with a fix', { fixable: 'only' }, {}, true],
    ['for fixable findings allows others', { fixable: 'only' }, { fixedVersion: null }, false],
    ['for the KEV catalog blocks what is in it', { kev: 'only' }, {}, true],
    ['for the KEV catalog allows what is not', { kev: 'only' }, OTHER, false],
    ['from EPSS 0.5 blocks that score', { minEpss: 0.5 }, {}, true],
    ['from EPSS 0.6 allows a lower score', { minEpss: 0.6 }, {}, false],
    ['from EPSS 0.6 blocks what has no score', { minEpss: 0.6 }, OTHER, true],
    ['from 21 days blocks what is that old', { minAgeDays: 21 }, {}, true],
    ['from 22 days allows what is younger', { minAgeDays: 22 }, {}, false],
    ['from 22 days blocks what has no date', { minAgeDays: 22 }, { publishedAt: null }, true],
    ['for OS packages blocks them', { packageTypes: 'os' }, {}, true],
    ['for OS packages allows a library', { packageTypes: 'os' }, { packageType: 'library' }, false],
    ['for OS packages blocks an unknown type', { packageTypes: 'os' }, { packageType: null }, true],
    ['that warns allows what it matches', { action: 'warn' }, {}, false],
  ])('%s', (_, rule, finding, blocks) => {
    const policy = policyFixture({ rules: [ruleFixture(rule)] });
    const { verdict } = standingFixture([findingFixture(finding)], { policy, feeds: FEEDS });
    expect(verdict).toBe(blocks ? 'blocked' : 'findings');
  });

  it.each<[string, Partial<PolicyRule>, ThreatFeeds]>([
    ['of the KEV catalog, missing', { kev: 'only' }, NONE],
    ['of EPSS, missing', { minEpss: 0.9 }, NONE],
    [
      'of EPSS, 7 days old',
      { minEpss: 0.9 },
      { ...NONE, epss: { readAt: daysLater(-7), score: () => 0 } },
    ],
    [
      'of the KEV catalog, 7 days old',
      { kev: 'only' },
      { ...NONE, kev: { readAt: daysLater(-7), has: () => false } },
    ],
  ])('whose feed is not usable matches without that term: %s', (_, rule, feeds) => {
    const policy = policyFixture({ rules: [ruleFixture(rule)] });
    const standing = standingFixture([findingFixture(OTHER)], { policy, feeds });
    expect(standing.verdict).toBe('blocked');
    expect(standing.missingFeeds).toEqual([rule.kev ? 'kev' : 'epss']);
  });

  it('names no feed that no rule needs', () => {
    expect(standingFixture([findingFixture()], { feeds: NONE }).missingFeeds).toEqual([]);
  });
});

describe('a standing', () => {
  const verdictOf = (...args: Parameters<typeof standingFixture>) =>
    standingFixture(...args).verdict;

  it.each<[string, Standing['verdict'], Parameters<typeof standingFixture>]>([
    ['of no findings is clean', 'clean', [[]]],
    [
      'of incomplete coverage is unscannable',
      'unscannable',
      [[], { facts: { coverage: 'partial' } }],
    ],
    [
      'whose only gap is accepted third-party packages is clean',
      'clean',
      [
        [],
        {
          facts: { coverage: 'partial', lacksThirdPartyAlone: true },
          policy: policyFixture({ thirdParty: 'accept' }),
        },
      ],
    ],
    [
      'with a waiver has findings',
      'findings',
      [[findingFixture()], { waivers: [waiverFixture()] }],
    ],
    [
      'with a waiver for one of two findings is blocked',
      'blocked',
      [[findingFixture(), findingFixture(OTHER)], { waivers: [waiverFixture()] }],
    ],
  ])('%s', (_, verdict, args) => {
    expect(verdictOf(...args)).toBe(verdict);
  });

  it('does not name the waivers of other folders, which the reader may not see', () => {
    const waivers = [waiverFixture({ folder: 'other' })];
    const { verdict, blocking } = standingFixture([findingFixture()], { waivers });
    expect([verdict, blocking[0]?.misses]).toEqual(['blocked', []]);
  });

  it.each<[string, Partial<Waiver>]>([
    ['not_approved', { state: 'requested' }],
    ['not_approved', { state: 'revoked' }],
    ['not_approved', { state: 'rejected' }],
    ['expired', { expiresAt: NOW }],
    ['package', { package: 'curl' }],
    ['package_version', { package: 'openssl', packageVersion: '0' }],
    ['digest', { digest: 'sha256:b' }],
    ['repository', { repository: 'other/**' }],
    ['repository', { repository: 'team' }],
    ['repository', { repository: '*' }],
  ])('says why a waiver does not cover a finding: %s', (miss, change) => {
    const { verdict, blocking } = standingFixture([findingFixture()], {
      waivers: [waiverFixture(change)],
    });
    expect(verdict).toBe('blocked');
    expect(blocking[0]?.misses).toEqual([{ waiverId: 'w1', miss }]);
  });

  it.each<[Partial<Waiver>]>([
    [{ package: 'openssl' }],
    [{ digest: 'sha256:a' }],
    [{ folder: 'team' }],
    [{ repository: 'team/*' }],
    [{ repository: '**' }],
    [{ repository: '**/app' }],
    [{ repository: 'team/app' }],
  ])('is covered by a waiver with %o', (change) => {
    const { waived } = standingFixture([findingFixture()], { waivers: [waiverFixture(change)] });
    expect(waived).toMatchObject([{ waiverId: 'w1', until: daysLater(1) }]);
  });

  it('outside the local registry is covered by waivers of every folder alone', () => {
    const image = { ...IMAGE, folder: null };
    const waivers = [waiverFixture({ folder: 'team' })];
    expect(verdictOf([findingFixture()], { image, waivers })).toBe('blocked');
    expect(verdictOf([findingFixture()], { image, waivers: [waiverFixture()] })).toBe('findings');
  });

  it.each<[string, Date | null, Parameters<typeof standingFixture>]>([
    ['never, where nothing ends', null, [[findingFixture()]]],
    [
      'when the waiver that lasts longest ends',
      daysLater(3),
      [
        [findingFixture()],
        { waivers: [waiverFixture(), waiverFixture({ id: 'w2', expiresAt: daysLater(3) })] },
      ],
    ],
    [
      'when a waiver of other repositories ends, which then misses for another reason',
      daysLater(2),
      [
        [findingFixture()],
        { waivers: [waiverFixture({ repository: 'other', expiresAt: daysLater(2) })] },
      ],
    ],
    [
      'when a finding is old enough',
      new Date('2026-12-01T00:00:00Z'),
      [[findingFixture()], { policy: policyFixture({ rules: [ruleFixture({ minAgeDays: 30 })] }) }],
    ],
    [
      'when a feed that it needs is too old',
      daysLater(7),
      [
        [findingFixture()],
        { policy: policyFixture({ rules: [ruleFixture({ kev: 'only' })] }), feeds: FEEDS },
      ],
    ],
  ])('may change %s', (_, moment, args) => {
    expect(standingFixture(...args).validUntil).toEqual(moment);
  });

  const anyFinding = fc
    .record({
      id: fc.constantFrom('CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'),
      severity: fc.constantFrom(...SEVERITIES),
      fixedVersion: fc.constantFrom(null, '2'),
      packageType: fc.constantFrom('os' as const, 'library' as const, null),
      publishedAt: fc.constantFrom(null, '2026-11-01T00:00:00Z', '2026-11-21T00:00:00Z'),
    })
    .map(findingFixture);
  const anyRule = fc
    .record({
      severities: fc.uniqueArray(fc.constantFrom(...SEVERITIES)),
      fixable: fc.constantFrom('any' as const, 'only' as const),
      kev: fc.constantFrom('any' as const, 'only' as const),
      minEpss: fc.constantFrom(null, 0.1, 0.9),
      minAgeDays: fc.constantFrom(null, 10, 30),
      packageTypes: fc.constantFrom('all' as const, 'os' as const, 'library' as const),
      action: fc.constantFrom('block' as const, 'warn' as const),
    })
    .map(ruleFixture);
  const anyWaiver = fc
    .record({
      vulnerability: fc.constantFrom('CVE-2026-1', 'CVE-2026-2'),
      folder: fc.constantFrom(null, 'team', 'other'),
      state: fc.constantFrom('requested' as const, 'approved' as const, 'revoked' as const),
      expiresAt: fc.constantFrom(daysLater(-1), daysLater(1), daysLater(9)),
    })
    .map(waiverFixture);
  const anyFeeds = fc.constantFrom(NONE, FEEDS);
  const anyInput = fc
    .record({
      findings: fc.array(anyFinding, { maxLength: 6 }),
      rules: fc.array(anyRule, { maxLength: 4 }),
      minAgeHours: fc.constantFrom(0, 24, 8_760),
      // An image without a sighting waits from each moment at which it is judged.
      sightedAt: fc.constantFrom(daysLater(-400), daysLater(-1), NOW),
      waivers: fc.array(anyWaiver, { maxLength: 4 }),
      feeds: anyFeeds,
    })
    .map(({ findings, rules, minAgeHours, ...rest }) => ({
      facts: factsFixture(findings),
      policy: policyFixture({ rules, minAgeHours }),
      image: IMAGE,
      now: NOW,
      ...UNASKED,
      ...rest,
    }));

  it('stays the same until `validUntil`, under any policy', () => {
    fc.assert(
      fc.property(anyInput, fc.double({ min: 0, max: 1, noNaN: true }), (input, part) => {
        const before = standingOf(input);
        const end = before.validUntil ?? daysLater(400);
        const now = new Date(
          NOW.getTime() + Math.floor((end.getTime() - NOW.getTime() - 1) * part),
        );
        expect(standingOf({ ...input, now })).toEqual(before);
      }),
    );
  });

  it('is never better with a rule more, or with a waiver less', () => {
    fc.assert(
      fc.property(anyInput, anyRule, (input, rule) => {
        const { policy, waivers } = input;
        if (standingOf(input).verdict !== 'blocked') return;
        const stricter = { ...policy, rules: [...policy.rules, rule] };
        expect(standingOf({ ...input, policy: stricter }).verdict).toBe('blocked');
        expect(standingOf({ ...input, waivers: waivers.slice(1) }).verdict).toBe('blocked');
      }),
    );
  });

  it('without its feeds is never better than with them', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        if (standingOf({ ...input, feeds: FEEDS }).verdict !== 'blocked') return;
        expect(standingOf({ ...input, feeds: NONE }).verdict).toBe('blocked');
      }),
    );
  });
});

describe('the default policy', () => {
  const anyReport = fc
    .record({
      found: fc.array(
        fc.record({ severity: fc.constantFrom(...SEVERITIES), fixed: fc.boolean() }),
        { maxLength: 5 },
      ),
      coverage: fc.constantFrom('full' as const, 'partial' as const, 'none' as const),
    })
    .map(({ found, coverage }) => reportOf(found, coverage));

  function reportOf(
    found: { severity: (typeof SEVERITIES)[number]; fixed: boolean }[],
    coverage: ScanReport['coverage'],
  ): ScanReport {
    const nothing = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
    const rating = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
    return {
      coverage,
      notes: [],
      os: null,
      targets: [],
      scanner: { name: 'trivy', version: '1', dbUpdatedAt: null },
      vulnerabilities: found.map(({ severity, fixed }, at) => ({
        ...{ id: `CVE-${at}`, severity, ...rating, primaryUrl: null, publishedAt: null },
        packages: [
          {
            ...{ name: 'p', severity, installedVersion: '1', status: 'fixed', ...nothing },
            fixedVersion: fixed ? '2' : null,
          },
        ],
      })),
    };
  }

  it('judges as the scan settings do, with the severity list of a job too', () => {
    const anySettings = fc
      .record({
        severities: fc.uniqueArray(fc.constantFrom(...SEVERITIES)),
        ignoreUnfixed: fc.boolean(),
      })
      .map((change) => ({ ...DEFAULT_POLICY, ...change }));
    const anyOverrides = fc.record({
      vulnScanEnabled: fc.constant(null),
      vulnSeverities: fc.option(fc.uniqueArray(fc.constantFrom(...SEVERITIES))),
    });
    fc.assert(
      fc.property(anyReport, anySettings, anyOverrides, (report, settings, overrides) => {
        const policy = bentBy(defaultPolicy(settings), overrides);
        const facts = factsOf(report);
        const known = { waivers: [], feeds: NONE, image: IMAGE, sightedAt: null, ...UNASKED };
        const input = { facts, policy, ...known, now: NOW };
        expect(standingOf(input).verdict).toBe(judge(report, settings, overrides).verdict);
      }),
    );
  });

  it.each([
    [['CRITICAL', 'HIGH'], false],
    [['CRITICAL', 'HIGH', 'LOW'], false],
    [['CRITICAL'], true],
    [null, false],
  ] as const)('is relaxed by the list %j of a job: %s', (list, expected) => {
    const overrides = { vulnScanEnabled: null, vulnSeverities: list === null ? null : [...list] };
    expect(isRelaxedBy(policyFixture(), overrides)).toBe(expected);
  });
});
