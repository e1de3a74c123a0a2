import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobFixture } from '../pipeline/staging.fixture.ts';
import {
  failedSince,
  NO_OVERRIDES as NONE,
  NOW,
  policy,
  report,
  scanned,
  TODAY,
  YESTERDAY,
} from '../policy/judged-job.fixture.ts';
import type { JudgedJob } from '../policy/stored-verdict.ts';
import {
  type Coverage,
  type ScanOverrides,
  type ScanPolicy,
  SEVERITIES,
  VERDICTS,
  type Verdict,
} from '../policy/vulnerability.ts';
import { defaultPolicy } from './policy.ts';
import { codeOfRefusal, decidePush, type PushDecision, scanOfJob } from './push-decision.ts';
import { IMAGE, UNASKED } from './standing.fixture.ts';

interface Question {
  job: JudgedJob;
  policy: ScanPolicy;
  bypasses?: boolean;
  database: string | null;
  now: Date;
}

/** A push to a destination without a policy. */
function gate({ job, policy: settings, bypasses = false, ...rest }: Question): PushDecision {
  const feeds = { kev: null, epss: null };
  const place = { image: IMAGE, policy: defaultPolicy(settings), waivers: [], feeds };
  return decidePush({ ...place, ...UNASKED, ...rest, scan: scanOfJob(job), settings, bypasses });
}

function codeOf({ allowed, refusal }: PushDecision): string | null {
  return allowed || refusal === null ? null : codeOfRefusal(refusal);
}

describe('the gate of a destination without a policy', () => {
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
    const job = { verdict, overrides, vulnResult: null, sightedAt: null };
    const question = { job, policy: rules, database: null, now: NOW };
    expect(codeOf(gate(question))).toBe(code);
  });

  it.each([...VERDICTS])('allows %s for an account that bypasses it', (verdict) => {
    const job = { verdict, overrides: NONE, vulnResult: null, sightedAt: null };
    const rules = policy({ maxDatabaseAgeDays: 1 });
    expect(gate({ job, policy: rules, bypasses: true, database: null, now: NOW }).allowed).toBe(
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
    expect(codeOf(gate({ job, policy: rules, database: null, now: NOW }))).toBe(code);
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
    const question = { job, policy: rules, database: TODAY, now: NOW };
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
          const question = { policy: after, database: null, now: NOW };
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
    expect(codeOf(gate({ job, policy: rules, database, now: NOW }))).toBe(code);
  });
});

it.each<[string, JudgedJob, boolean, boolean, string | null]>([
  [
    'a blocked image, and the privilege is used',
    scanned(report(['CRITICAL'])),
    true,
    true,
    'findings',
  ],
  ['a blocked image, and it is not used', scanned(report(['CRITICAL'])), false, false, 'findings'],
  ['a clean image, and the privilege is used', scanned(report([])), true, true, null],
])('what a bypass bypasses is shown for %s', (_, job, bypasses, allowed, refusal) => {
  const question = { job, policy: policy(), bypasses, database: YESTERDAY, now: NOW };
  expect(gate(question)).toMatchObject({ allowed, refusal });
});
