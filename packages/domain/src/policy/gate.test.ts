import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../pipeline/staging.fixture.ts';
import { advance } from '../pipeline/staging.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { bypassedBy, gate } from './gate.ts';
import { applyPolicy, isOutdated, rejudge } from './stored-verdict.ts';
import { judge } from './verdict.ts';
import {
  type Coverage,
  type ScanOverrides,
  type ScanPolicy,
  type ScanReport,
  SEVERITIES,
  type Severity,
  VERDICTS,
  type Verdict,
} from './vulnerability.ts';

const NONE: ScanOverrides = { vulnScanEnabled: null, vulnSeverities: null };
const USER = { isAdmin: false, canBypassVulnBlock: false };
const NOW = new Date('2026-11-22T12:00:00Z');
const YESTERDAY = '2026-11-21T12:00:00Z';
const TODAY = '2026-11-22T06:00:00.123456789Z';

function policy(change: Partial<ScanPolicy> = {}): ScanPolicy {
  return { ...DEFAULT_POLICY, ...change };
}

function report(
  found: Severity[],
  change: Partial<ScanReport> & { database?: string | null } = {},
): ScanReport {
  const { database = YESTERDAY, ...rest } = change;
  const NO_DETAILS = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
  const where = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  const versions = { installedVersion: '1', fixedVersion: '2', status: 'fixed' };
  return {
    coverage: 'full',
    notes: [],
    os: null,
    targets: [],
    vulnerabilities: found.map((severity, at) => ({
      ...{ id: `CVE-${at}`, severity, ...NO_DETAILS, primaryUrl: null, publishedAt: null },
      packages: [{ name: 'p', severity, ...versions, ...where }],
    })),
    scanner: { name: 'trivy', version: '1', dbUpdatedAt: database },
    ...rest,
  };
}

/** A job after its scan, judged under the policy of that time. */
function scanned(scan: ScanReport, rules = policy(), overrides = NONE) {
  const { verdict, result } = judge(scan, rules, overrides);
  return jobFixture({ status: 'staged', verdict, vulnResult: result, overrides });
}

/** As `scanned`, but the next scan failed. */
function failedSince(...scan: Parameters<typeof scanned>) {
  const scanning = { ...scanned(...scan), status: 'scanning' as const };
  const error = { code: 'SCAN_TIMEOUT', message: 'too slow', side: null, retryable: false };
  return advance(scanning, { kind: 'failed', error }, NOW);
}

function codeOf(decision: ReturnType<typeof gate>): string | null {
  return decision.allowed ? null : decision.code;
}

describe('gate', () => {
  it.each<[Verdict, ScanPolicy, ScanOverrides, string | null]>([
    ['clean', policy(), NONE, null],
    ['findings', policy(), NONE, null],
    ['blocked', policy(), NONE, 'VULN_BLOCKED'],
    ['blocked', policy({ onError: 'allow' }), NONE, 'VULN_BLOCKED'],
    ['pending', policy(), NONE, 'SCAN_REQUIRED'],
    ['pending', policy({ onError: 'allow' }), NONE, 'SCAN_REQUIRED'],
    ['unscannable', policy(), NONE, 'SCAN_REQUIRED'],
    ['unscannable', policy({ onError: 'allow' }), NONE, null],
    [
      'unscannable',
      policy({ onError: 'allow' }),
      { ...NONE, vulnSeverities: [] },
      'OVERRIDE_FORBIDDEN',
    ],
    ['error', policy(), NONE, 'SCAN_REQUIRED'],
    ['error', policy({ onError: 'allow' }), NONE, null],
    ['skipped', policy(), NONE, 'SCAN_REQUIRED'],
    ['skipped', policy({ scanEnabled: false }), NONE, null],
    ['skipped', policy(), { vulnScanEnabled: false, vulnSeverities: null }, 'OVERRIDE_FORBIDDEN'],
    [
      'skipped',
      policy({ override: 'anyone' }),
      { vulnScanEnabled: false, vulnSeverities: null },
      null,
    ],
    ['clean', policy(), { vulnScanEnabled: null, vulnSeverities: [] }, null],
    ['findings', policy(), { vulnScanEnabled: null, vulnSeverities: [] }, 'OVERRIDE_FORBIDDEN'],
    [
      'findings',
      policy({ override: 'anyone' }),
      { vulnScanEnabled: null, vulnSeverities: [] },
      null,
    ],
    ['findings', policy(), { vulnScanEnabled: null, vulnSeverities: [...SEVERITIES] }, null],
  ])('%s under %o', (verdict, rules, overrides, code) => {
    const job = { verdict, overrides, vulnResult: null };
    const question = { job, policy: rules, principal: USER, database: null, now: NOW };
    expect(codeOf(gate(question))).toBe(code);
  });

  it.each([...VERDICTS])('allows %s for an admin and a bypassing account', (verdict) => {
    const rules = policy({ maxDatabaseAgeDays: 1 });
    const job = { verdict, overrides: NONE, vulnResult: null };
    const question = { job, policy: rules, database: null, now: NOW };
    expect(gate({ ...question, principal: { ...USER, isAdmin: true } }).allowed).toBe(true);
    expect(gate({ ...question, principal: { ...USER, canBypassVulnBlock: true } }).allowed).toBe(
      true,
    );
  });

  const ALL = [...SEVERITIES];
  const strict = policy({ severities: ALL });
  const onlyCritical: ScanOverrides = { ...NONE, vulnSeverities: ['CRITICAL'] };
  it.each<[string, ReturnType<typeof scanned>, ScanPolicy, string | null]>([
    ['the policy became stricter', scanned(report(['LOW'])), strict, 'VULN_BLOCKED'],
    ['the policy became more permissive', scanned(report(['LOW']), strict), policy(), null],
    [
      'the policy now blocks findings without a fix, too',
      scanned(report(['HIGH']), policy({ severities: [] })),
      policy({ ignoreUnfixed: true }),
      'VULN_BLOCKED',
    ],
    [
      'the job has its own list, which still replaces the policy’s',
      scanned(report(['LOW']), policy(), { ...NONE, vulnSeverities: ['LOW'] }),
      policy({ severities: [] }),
      'VULN_BLOCKED',
    ],
    [
      'its own list relaxes the stricter policy',
      scanned(report(['LOW']), policy({ severities: ['CRITICAL'] }), onlyCritical),
      strict,
      'OVERRIDE_FORBIDDEN',
    ],
    ['the image is clean under any policy', scanned(report([])), strict, null],
  ])('S4b: a verdict is judged again where %s', (_, job, rules, code) => {
    expect(codeOf(gate({ job, policy: rules, principal: USER, database: null, now: NOW }))).toBe(
      code,
    );
  });

  const lax = policy({ severities: ['CRITICAL'], onError: 'allow' });
  it.each<[string, ReturnType<typeof scanned>, ScanPolicy, string | null]>([
    [
      'its findings are blocked by a stricter policy, whatever the rule for errors is',
      failedSince(report(['HIGH']), policy({ severities: [] })),
      policy({ onError: 'allow' }),
      'VULN_BLOCKED',
    ],
    [
      'its findings were blocked, and still are',
      failedSince(report(['CRITICAL']), lax),
      lax,
      'VULN_BLOCKED',
    ],
    [
      'it was blocked, and the more permissive policy accepts its findings, but not the error',
      failedSince(report(['HIGH']), policy()),
      policy({ severities: [] }),
      'SCAN_REQUIRED',
    ],
    ['it was clean, and an error blocks', failedSince(report([])), policy(), 'SCAN_REQUIRED'],
    ['it was clean, and an error is accepted', failedSince(report([])), lax, null],
    [
      'its findings are accepted, and so is an error',
      failedSince(report(['HIGH']), lax),
      lax,
      null,
    ],
    [
      'its findings are accepted by the job’s own list only',
      failedSince(report(['LOW']), policy({ severities: ['CRITICAL'] }), onlyCritical),
      { ...strict, onError: 'allow' },
      'OVERRIDE_FORBIDDEN',
    ],
    [
      'its findings are from a database that is too old, and an error is accepted',
      failedSince(report([], { database: YESTERDAY })),
      { ...lax, maxDatabaseAgeDays: 0.5 },
      'DATABASE_TOO_OLD',
    ],
  ])('an image whose last scan failed: %s', (_, job, rules, code) => {
    const question = { job, policy: rules, principal: USER, database: TODAY, now: NOW };
    expect(codeOf(gate(question))).toBe(code);
  });

  it('a failed scan never allows what was blocked before, under any two policies', () => {
    const anySeverities = fc.uniqueArray(fc.constantFrom(...SEVERITIES));
    const anyPolicy = fc
      .record({
        severities: anySeverities,
        ignoreUnfixed: fc.boolean(),
        onError: fc.constantFrom('block', 'allow'),
        override: fc.constantFrom('privileged', 'anyone'),
        maxDatabaseAgeDays: fc.constantFrom(null, 0.5, 10),
      })
      .map(policy);
    const anyOverrides = fc.record({
      vulnScanEnabled: fc.constant(null),
      vulnSeverities: fc.option(anySeverities),
    });
    const anyReport = fc
      .record({
        found: anySeverities,
        coverage: fc.constantFrom<Coverage>('full', 'partial', 'none'),
      })
      .map(({ found, coverage }) => report(found, { coverage }));
    fc.assert(
      fc.property(
        anyReport,
        anyPolicy,
        anyPolicy,
        anyOverrides,
        (scan, before, after, overrides) => {
          const question = { policy: after, principal: USER, database: null, now: NOW };
          const known = gate({ ...question, job: scanned(scan, before, overrides) });
          const failed = gate({ ...question, job: failedSince(scan, before, overrides) });
          if (failed.allowed) expect(known.allowed && after.onError === 'allow').toBe(true);
          if (codeOf(known) === 'VULN_BLOCKED') expect(codeOf(failed)).toBe('VULN_BLOCKED');
        },
      ),
    );
  });

  const days = (maxDatabaseAgeDays: number | null, change: Partial<ScanPolicy> = {}) =>
    policy({ maxDatabaseAgeDays, ...change });
  const old = '2026-11-12T11:59:59Z';
  const tenDays = '2026-11-12T12:00:00Z';
  it.each<[string, ReturnType<typeof scanned>, ScanPolicy, string | null, string | null]>([
    ['no age is set', scanned(report([], { database: old })), days(null), null, null],
    ['it is as old as it may be', scanned(report([], { database: tenDays })), days(10), null, null],
    ['it is older', scanned(report([], { database: old })), days(10), null, 'DATABASE_TOO_OLD'],
    [
      'it is older, with findings',
      scanned(report(['LOW'], { database: old })),
      days(10),
      null,
      'DATABASE_TOO_OLD',
    ],
    [
      'it is older, and incomplete coverage is accepted',
      scanned(report([], { database: old, coverage: 'partial' })),
      days(10, { onError: 'allow' }),
      null,
      'DATABASE_TOO_OLD',
    ],
    [
      'its age is unknown',
      scanned(report([], { database: null })),
      days(10),
      null,
      'DATABASE_TOO_OLD',
    ],
    [
      'its date is in the future',
      scanned(report([], { database: '2099-01-01T00:00:00Z' })),
      days(1),
      null,
      null,
    ],
    [
      'the push is scanned with a newer one first',
      scanned(report([], { database: old })),
      days(10),
      TODAY,
      null,
    ],
    [
      'the newer one is too old as well',
      scanned(report([], { database: old })),
      days(1),
      tenDays,
      'DATABASE_TOO_OLD',
    ],
    [
      'there is a newer one, but no scan is wanted',
      scanned(report([], { database: old })),
      days(10, { scanEnabled: false }),
      TODAY,
      'DATABASE_TOO_OLD',
    ],
    [
      'its findings block',
      scanned(report(['HIGH'], { database: old })),
      days(10),
      null,
      'VULN_BLOCKED',
    ],
    [
      'no scan was wanted at all',
      jobFixture({ status: 'staged', verdict: 'skipped' }),
      days(10, { scanEnabled: false }),
      null,
      null,
    ],
  ])('S14: the age of the database: %s', (_, job, rules, database, code) => {
    expect(codeOf(gate({ job, policy: rules, principal: USER, database, now: NOW }))).toBe(code);
  });
});

it.each<[string, ScanReport | null, string | null, boolean]>([
  ['of yesterday beside one of today', report([]), TODAY, true],
  ['beside the same one', report([]), YESTERDAY, false],
  ['beside the same one, in another notation', report([]), '2026-11-21T13:00:00+01:00', false],
  ['beside an older one', report([], { database: TODAY }), YESTERDAY, false],
  ['while no scan can run', report([]), null, false],
  ['that does not state its database', report([], { database: null }), YESTERDAY, true],
  ['that does not exist', null, TODAY, false],
])('S4a: a report %s is outdated: %#', (_, scan, database, expected) => {
  const { vulnResult } = scan ? scanned(scan) : { vulnResult: null };
  expect(isOutdated({ vulnResult }, database)).toBe(expected);
});

describe('a stored verdict under the current policy', () => {
  it('changes the row, and adds to its timeline', () => {
    const job = scanned(report(['LOW']));
    const next = applyPolicy(job, policy({ severities: ['LOW'] }), NOW);
    expect(next).toMatchObject({
      verdict: 'blocked',
      vulnResult: { blocked: true, severities: ['LOW'], blocking: { LOW: 1 } },
      timeline: [{ at: NOW, status: 'staged', kind: 'policy_changed' }],
    });
  });

  it('keeps the timeline where the verdict stays, and the row where nothing changes', () => {
    const job = scanned(report(['LOW']));
    const next = applyPolicy(job, policy({ severities: ['CRITICAL'] }), NOW);
    expect(next).toMatchObject({
      verdict: 'findings',
      timeline: [],
      vulnResult: { severities: ['CRITICAL'] },
    });
    expect(applyPolicy(next, policy({ severities: ['CRITICAL'] }), NOW)).toBe(next);
  });

  it('of an image whose last scan failed changes between blocked and error', () => {
    const job = failedSince(report(['LOW']));
    expect(job.verdict).toBe('error');
    const blocked = applyPolicy(job, policy({ severities: ['LOW'] }), NOW);
    expect(blocked.verdict).toBe('blocked');
    const back = applyPolicy(blocked, policy(), NOW);
    expect(back).toMatchObject({ verdict: 'error', vulnResult: { total: 1 } });
    expect(applyPolicy(back, policy(), NOW)).toBe(back);
  });

  it.each(['skipped', 'pending'] as const)('says nothing new of %s', (verdict) => {
    const job = { ...scanned(report(['HIGH'])), verdict };
    expect(rejudge(job, policy({ severities: [] }))).toBe(job);
  });

  it('equals that of a new scan with the same findings, whatever the earlier policy was', () => {
    const anySeverities = fc.uniqueArray(fc.constantFrom(...SEVERITIES));
    const anyPolicy = fc
      .record({ severities: anySeverities, ignoreUnfixed: fc.boolean() })
      .map((change) => policy(change));
    const anyReport = fc
      .record({
        found: anySeverities,
        coverage: fc.constantFrom<Coverage>('full', 'partial', 'none'),
      })
      .map(({ found, coverage }) => report(found, { coverage }));
    fc.assert(
      fc.property(anyReport, anyPolicy, anyPolicy, (scan, before, after) => {
        const { verdict, vulnResult } = rejudge(scanned(scan, before), after);
        expect([verdict, vulnResult]).toEqual(Object.values(judge(scan, after, NONE)));
      }),
    );
  });
});

const BYPASS = { isAdmin: false, canBypassVulnBlock: true };

it.each([
  ['blocked for an account with the privilege', ['CRITICAL'], BYPASS, 'VULN_BLOCKED'],
  ['blocked for an administrator', ['CRITICAL'], { ...USER, isAdmin: true }, 'VULN_BLOCKED'],
  ['blocked for an account without it, which is refused', ['CRITICAL'], USER, null],
  ['clean for an account with the privilege', [], BYPASS, null],
] as const)(
  'of an image that is %s, the privilege bypasses the right code',
  (_, found, principal, code) => {
    const job = scanned(report([...found]));
    const question = { job, policy: policy(), principal, database: YESTERDAY, now: NOW };
    expect(bypassedBy(question)).toBe(code);
  },
);
