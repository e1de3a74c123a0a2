import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { blockingSeverities, judge, mayOverride } from './verdict.ts';
import {
  type Coverage,
  type CoverageGap,
  type ScanPolicy,
  type ScanReport,
  SEVERITIES,
  type Severity,
  type SeverityCounts,
  type Verdict,
  type Vulnerability,
  type VulnerablePackage,
} from './vulnerability.ts';

const NONE = { vulnScanEnabled: null, vulnSeverities: null };
const USER = { isAdmin: false, canBypassVulnBlock: false };

function found(severity: Severity, fixedVersion: string | null = '2'): Vulnerability {
  return {
    id: `CVE-${severity}-${fixedVersion}`,
    severity,
    title: null,
    cvssScore: null,
    cvssVector: null,
    cvssSource: null,
    primaryUrl: null,
    publishedAt: null,
    packages: [pack(severity, fixedVersion)],
  };
}

function pack(severity: Severity | undefined, fixedVersion: string | null): VulnerablePackage {
  const where = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  return { name: 'p', installedVersion: '1', fixedVersion, severity, status: 'affected', ...where };
}

function vulnerability(severity: Severity, packages: VulnerablePackage[]): Vulnerability {
  return { ...found(severity), packages };
}

function report(coverage: Coverage, ...vulnerabilities: Vulnerability[]): ScanReport {
  const scanner = { name: 'trivy', version: '1', dbUpdatedAt: null };
  return { coverage, notes: [], os: null, targets: [], vulnerabilities, scanner };
}

function policy(change: Partial<ScanPolicy> = {}): ScanPolicy {
  return { ...DEFAULT_POLICY, ...change };
}

describe('judge', () => {
  it.each([
    ['nothing found with full coverage is clean', report('full'), policy(), NONE, 'clean'],
    [
      'a finding below the blocking list is a finding',
      report('full', found('LOW')),
      policy(),
      NONE,
      'findings',
    ],
    [
      'a finding of a blocking severity blocks',
      report('full', found('HIGH')),
      policy(),
      NONE,
      'blocked',
    ],
    [
      'nothing found with partial coverage is not clean',
      report('partial'),
      policy(),
      NONE,
      'unscannable',
    ],
    [
      'a low finding with partial coverage is not accepted',
      report('partial', found('LOW')),
      policy(),
      NONE,
      'unscannable',
    ],
    [
      'a blocking finding blocks whatever the coverage',
      report('partial', found('CRITICAL')),
      policy(),
      NONE,
      'blocked',
    ],
    ['what cannot be scanned is unscannable', report('none'), policy(), NONE, 'unscannable'],
    ['an unfixed finding blocks', report('full', found('HIGH', null)), policy(), NONE, 'blocked'],
    [
      'an unfixed finding is ignored where the policy says so',
      report('full', found('HIGH', null)),
      policy({ ignoreUnfixed: true }),
      NONE,
      'findings',
    ],
    [
      'the job’s own severities replace the policy’s',
      report('full', found('HIGH')),
      policy(),
      { vulnScanEnabled: null, vulnSeverities: ['LOW' as const] },
      'findings',
    ],
    [
      'an empty list of the job blocks nothing',
      report('full', found('CRITICAL')),
      policy(),
      { vulnScanEnabled: null, vulnSeverities: [] },
      'findings',
    ],
  ])('%s', (_, scanned, rules, overrides, verdict) => {
    expect(judge(scanned, rules, overrides).verdict).toBe(verdict);
  });

  it('counts each vulnerability once, and those with a fix', () => {
    const { result } = judge(
      report('full', found('HIGH'), found('HIGH', null), found('LOW')),
      policy(),
      NONE,
    );
    expect(result.counts).toEqual({ CRITICAL: 0, HIGH: 2, MEDIUM: 0, LOW: 1, UNKNOWN: 0 });
    expect(result.fixable.HIGH).toBe(1);
    expect(result.total).toBe(3);
  });

  /** `shared` is rated HIGH without a fix, `shared2` LOW with one. */
  const MIXED = vulnerability('HIGH', [pack('HIGH', null), pack('LOW', '2.0')]);

  it.each<[string, Severity[], boolean, Verdict, Partial<SeverityCounts>]>([
    ['HIGH blocks by the package without a fix', ['HIGH'], false, 'blocked', { HIGH: 1 }],
    ['no package has HIGH with a fix', ['HIGH'], true, 'findings', {}],
    ['LOW blocks by the other package', ['LOW'], false, 'blocked', { LOW: 1 }],
    ['LOW with a fix blocks, too', ['LOW'], true, 'blocked', { LOW: 1 }],
    ['both block once, under the worse', ['LOW', 'HIGH'], false, 'blocked', { HIGH: 1 }],
    ['with a fix only the lower one blocks', ['LOW', 'HIGH'], true, 'blocked', { LOW: 1 }],
    [
      'a severity that no package has blocks nothing',
      ['CRITICAL', 'MEDIUM'],
      false,
      'findings',
      {},
    ],
  ])(
    'S8: each package blocks by its own severity and fix: %s',
    (_, severities, ignoreUnfixed, verdict, counts) => {
      const judged = judge(report('full', MIXED), policy({ severities, ignoreUnfixed }), NONE);
      expect(judged.verdict).toBe(verdict);
      expect(judged.result.blocking).toEqual({
        CRITICAL: 0,
        HIGH: 0,
        MEDIUM: 0,
        LOW: 0,
        UNKNOWN: 0,
        ...counts,
      });
      expect(judged.result.counts.HIGH).toBe(1);
    },
  );

  it.each<[Severity[], boolean, Verdict]>([
    [['HIGH'], true, 'blocked'],
    [['LOW'], false, 'findings'],
  ])(
    'an older report without severities of packages uses the vulnerability’s: %s',
    (severities, ignoreUnfixed, verdict) => {
      const old = vulnerability('HIGH', [pack(undefined, null), pack(undefined, '2.0')]);
      expect(judge(report('full', old), policy({ severities, ignoreUnfixed }), NONE).verdict).toBe(
        verdict,
      );
    },
  );

  const thirdParty: CoverageGap = {
    kind: 'third_party',
    platform: null,
    count: 1,
    packages: ['nodejs'],
  };
  const archive: CoverageGap = {
    kind: 'archives_unknown',
    platform: null,
    count: 1,
    paths: ['app/ours.jar'],
  };
  const unread: CoverageGap = {
    kind: 'files_unread',
    platform: null,
    packageType: 'jar',
    count: 1,
    paths: ['app/damaged.jar'],
  };
  const unknownRelease: CoverageGap = { kind: 'release_unknown', platform: null, os: 'debian 99' };

  it.each<[string, ScanPolicy['thirdParty'], Coverage, CoverageGap[] | undefined, Verdict]>([
    [
      'third-party packages leave it unscannable',
      'partial',
      'partial',
      [thirdParty],
      'unscannable',
    ],
    ['third-party packages are accepted', 'accept', 'partial', [thirdParty], 'clean'],
    [
      'archives that are not known leave it unscannable',
      'partial',
      'partial',
      [archive],
      'unscannable',
    ],
    ['they are accepted as well', 'accept', 'partial', [thirdParty, archive], 'clean'],
    ['only they are accepted', 'accept', 'partial', [thirdParty, unknownRelease], 'unscannable'],
    ['damaged archives are not accepted', 'accept', 'partial', [archive, unread], 'unscannable'],
    ['nothing is accepted without coverage', 'accept', 'none', [thirdParty], 'unscannable'],
    ['a report without gaps is not accepted', 'accept', 'partial', undefined, 'unscannable'],
    ['full coverage needs no acceptance', 'partial', 'full', undefined, 'clean'],
  ])('S6: %s', (_, accepts, coverage, gaps, verdict) => {
    const scanned = { ...report(coverage), ...(gaps && { gaps }) };
    expect(judge(scanned, policy({ thirdParty: accepts }), NONE).verdict).toBe(verdict);
  });

  const anySeverity = fc.constantFrom(...SEVERITIES);
  const anyPackage = fc
    .tuple(fc.option(anySeverity, { nil: undefined }), fc.constantFrom(null, '', '2'))
    .map(([severity, fixedVersion]) => pack(severity, fixedVersion));
  const anyVulnerability = fc
    .tuple(anySeverity, fc.array(anyPackage, { minLength: 1, maxLength: 4 }))
    .map(([severity, packages]) => vulnerability(severity, packages));
  const anyReport = fc
    .record({
      coverage: fc.constantFrom<Coverage>('full', 'partial', 'none'),
      findings: fc.array(anyVulnerability, { maxLength: 6 }),
    })
    .map(({ coverage, findings }) => report(coverage, ...findings));
  const anyPolicy = fc
    .record({ severities: fc.uniqueArray(anySeverity), ignoreUnfixed: fc.boolean() })
    .map((change) => policy(change));

  it('is clean only with full coverage and no finding at all', () => {
    fc.assert(
      fc.property(anyReport, anyPolicy, (scanned, rules) => {
        const { verdict } = judge(scanned, rules, NONE);
        expect(verdict === 'clean').toBe(
          scanned.coverage === 'full' && scanned.vulnerabilities.length === 0,
        );
      }),
    );
  });

  it('never allows more when a severity is added to the blocking list', () => {
    fc.assert(
      fc.property(anyReport, anyPolicy, anySeverity, (scanned, rules, more) => {
        const stricter = { ...rules, severities: [...rules.severities, more] };
        if (judge(scanned, rules, NONE).result.blocked) {
          expect(judge(scanned, stricter, NONE).result.blocked).toBe(true);
        }
      }),
    );
  });

  it('never blocks because a finding, or a package of one, was removed', () => {
    const at = fc.nat({ max: 5 });
    fc.assert(
      fc.property(anyReport, anyPolicy, at, at, (scanned, rules, which, package_) => {
        if (judge(scanned, rules, NONE).result.blocked) return;
        const vulnerabilities = scanned.vulnerabilities.toSpliced(which, 1);
        const reduced = scanned.vulnerabilities.map((each) => ({
          ...each,
          packages: each.packages.toSpliced(package_, 1),
        }));
        expect(judge({ ...scanned, vulnerabilities }, rules, NONE).result.blocked).toBe(false);
        expect(judge({ ...scanned, vulnerabilities: reduced }, rules, NONE).result.blocked).toBe(
          false,
        );
      }),
    );
  });

  it('blocks exactly where a list of all packages, filtered one by one, is not empty', () => {
    fc.assert(
      fc.property(anyReport, anyPolicy, (scanned, rules) => {
        const left = scanned.vulnerabilities.flatMap(({ severity, packages }) =>
          packages.filter(
            (each) =>
              rules.severities.includes(each.severity ?? severity) &&
              (!rules.ignoreUnfixed || Boolean(each.fixedVersion)),
          ),
        );
        expect(judge(scanned, rules, NONE).verdict === 'blocked').toBe(left.length > 0);
      }),
    );
  });

  it('lists blocking severities once each, most severe first', () => {
    fc.assert(
      fc.property(fc.array(anySeverity), (list) => {
        const listed = blockingSeverities(policy(), {
          vulnScanEnabled: null,
          vulnSeverities: list,
        });
        expect(listed).toEqual(SEVERITIES.filter((severity) => list.includes(severity)));
      }),
    );
  });
});

describe('mayOverride', () => {
  it.each([
    ['no override needs no privilege', NONE, policy(), USER, true],
    [
      'switching the scan off needs the privilege',
      { ...NONE, vulnScanEnabled: false },
      policy(),
      USER,
      false,
    ],
    [
      'switching the scan on is for everyone',
      { ...NONE, vulnScanEnabled: true },
      policy(),
      USER,
      true,
    ],
    [
      'a shorter list needs the privilege',
      { ...NONE, vulnSeverities: ['CRITICAL' as const] },
      policy(),
      USER,
      false,
    ],
    [
      'a longer list is for everyone',
      { ...NONE, vulnSeverities: [...SEVERITIES] },
      policy(),
      USER,
      true,
    ],
    [
      'a policy may allow it to anyone',
      { ...NONE, vulnScanEnabled: false },
      policy({ override: 'anyone' }),
      USER,
      true,
    ],
    [
      'can_bypass_vuln_block is the privilege',
      { ...NONE, vulnScanEnabled: false },
      policy(),
      { ...USER, canBypassVulnBlock: true },
      true,
    ],
  ])('%s', (_, overrides, rules, principal, allowed) => {
    expect(mayOverride(rules, overrides, principal).allowed).toBe(allowed);
  });
});
