/** The gate of destinations with a policy: policy × waivers × feeds × overrides × bypass. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ThreatFeeds } from '../feeds/threat-feeds.ts';
import { jobFixture } from '../pipeline/staging.fixture.ts';
import {
  failedSince,
  NO_OVERRIDES,
  NOW,
  report,
  scanned,
  policy as settingsOf,
  YESTERDAY,
} from '../policy/judged-job.fixture.ts';
import type { JudgedJob } from '../policy/stored-verdict.ts';
import { type ScanOverrides, SEVERITIES, type Severity } from '../policy/vulnerability.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import type { JudgedImage, Waiver } from '../waivers/waiver.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import {
  codeOfRefusal,
  decidePush,
  type PushDecision,
  type PushQuestion,
  scanOfJob,
} from './push-decision.ts';
import {
  daysLater,
  policyFixture,
  ruleFixture,
  UNASKED,
  waiverFixture,
} from './standing.fixture.ts';

const LOCAL: JudgedImage = { digest: 'sha256:a', repository: 'prod/app', folder: 'prod' };
const EXTERNAL: JudgedImage = { digest: 'sha256:a', repository: 'acme/app', folder: null };
const NO_FEEDS: ThreatFeeds = { kev: null, epss: null };
const KEV: ThreatFeeds = { kev: { readAt: NOW, has: (id) => id === 'CVE-0' }, epss: null };
const LAX_SETTINGS = settingsOf({ severities: [] });

function named(change: Partial<Policy> = {}): Policy {
  return policyFixture({ id: 'p1', name: 'prod', version: '3', ...change });
}

/** A policy that blocks findings of these severities. */
function blocking(...severities: Severity[]): Policy {
  return named({ rules: [ruleFixture({ severities })] });
}

/** Waives the only finding of the reports below, for a day. */
function waiver(change: Partial<Waiver> = {}): Waiver {
  return waiverFixture({ vulnerability: 'CVE-0', ...change });
}

function ask(job: JudgedJob, change: Partial<PushQuestion> = {}): PushDecision {
  return decidePush({
    scan: scanOfJob(job),
    image: LOCAL,
    policy: named(),
    settings: DEFAULT_POLICY,
    waivers: [],
    feeds: NO_FEEDS,
    bypasses: false,
    database: YESTERDAY,
    now: NOW,
    ...UNASKED,
    ...change,
  });
}

function codeOf({ allowed, refusal }: PushDecision): string | null {
  return allowed || refusal === null ? null : codeOfRefusal(refusal);
}

const high = scanned(report(['HIGH']));
const low = scanned(report(['LOW']));
const clean = scanned(report([]));
const skipped = jobFixture({ status: 'staged', verdict: 'skipped' });
const overrides = (vulnSeverities: Severity[] | null, vulnScanEnabled: boolean | null = null) => ({
  vulnSeverities,
  vulnScanEnabled,
});
const withOverrides = (job: JudgedJob, own: ScanOverrides): JudgedJob => ({
  ...job,
  overrides: own,
});
const chart = scanned({ ...report([], { coverage: 'none' }), artifactType: 'application/vnd.x' });

it.each<[string, JudgedJob, Partial<PushQuestion>, string | null]>([
  // Policy
  ['blocks what the settings allow', low, { policy: blocking('LOW') }, 'VULN_BLOCKED'],
  ['allows what the settings block', high, { policy: blocking('LOW') }, null],
  [
    'with a warning rule allows',
    high,
    { policy: named({ rules: [ruleFixture({ action: 'warn' })] }) },
    null,
  ],
  ['without rules allows', high, { policy: named({ rules: [] }) }, null],
  [
    'of an external destination decides as well',
    low,
    { image: EXTERNAL, policy: blocking('LOW') },
    'VULN_BLOCKED',
  ],
  // What there is to judge
  ['needs a scan where the job has none', skipped, {}, 'SCAN_REQUIRED'],
  [
    'needs a scan also where the settings switch scans off',
    skipped,
    { settings: settingsOf({ scanEnabled: false }) },
    'SCAN_REQUIRED',
  ],
  [
    'needs findings, not the verdict of the settings',
    jobFixture({ verdict: 'clean' }),
    {},
    'SCAN_REQUIRED',
  ],
  ['needs a scan that has ended', jobFixture({ verdict: 'pending' }), {}, 'SCAN_REQUIRED'],
  [
    'blocks what was not covered',
    scanned(report([], { coverage: 'partial' })),
    {},
    'SCAN_REQUIRED',
  ],
  [
    'allows what was not covered where it says so',
    scanned(report([], { coverage: 'partial' })),
    { policy: named({ unscannable: 'allow' }) },
    null,
  ],
  ['blocks after a failed scan', failedSince(report([])), {}, 'SCAN_REQUIRED'],
  [
    'allows after a failed scan where it says so',
    failedSince(report([])),
    { policy: named({ onError: 'allow' }) },
    null,
  ],
  [
    'blocks what was not covered before a failed scan',
    failedSince(report([], { coverage: 'partial' })),
    { policy: named({ onError: 'allow', unscannable: 'block' }) },
    'SCAN_REQUIRED',
  ],
  [
    'blocks findings before a failed scan',
    failedSince(report(['HIGH'])),
    { policy: named({ onError: 'allow' }) },
    'VULN_BLOCKED',
  ],
  [
    'blocks what its own limit calls old',
    clean,
    { policy: named({ maxDatabaseAgeDays: 0.5 }) },
    'DATABASE_TOO_OLD',
  ],
  [
    'is not bound to the limit of the settings',
    clean,
    { settings: settingsOf({ maxDatabaseAgeDays: 0.5 }) },
    null,
  ],
  ['allows artifacts', chart, {}, null],
  [
    'blocks artifacts where it says so',
    chart,
    { policy: named({ artifacts: 'block' }) },
    'ARTIFACT_BLOCKED',
  ],
  [
    'that is the default has no rule for artifacts',
    chart,
    { policy: defaultPolicy(DEFAULT_POLICY) },
    'SCAN_REQUIRED',
  ],
  // Waivers
  ['allows what a waiver covers', high, { waivers: [waiver()] }, null],
  [
    'that is the default allows what a waiver covers',
    high,
    { policy: defaultPolicy(DEFAULT_POLICY), waivers: [waiver()] },
    null,
  ],
  [
    'blocks from the moment a waiver ends',
    high,
    { waivers: [waiver()], now: daysLater(1) },
    'VULN_BLOCKED',
  ],
  [
    'blocks what only waivers of another folder cover',
    high,
    { waivers: [waiver({ folder: 'team' })] },
    'VULN_BLOCKED',
  ],
  [
    'of an external destination ignores waivers of folders',
    high,
    { image: EXTERNAL, waivers: [waiver({ folder: 'prod' })] },
    'VULN_BLOCKED',
  ],
  [
    'of an external destination uses waivers of its repository',
    high,
    { image: EXTERNAL, waivers: [waiver({ repository: 'acme/*' })] },
    null,
  ],
  [
    'blocks what a waiver of another repository covers',
    high,
    { waivers: [waiver({ repository: 'team/*' })] },
    'VULN_BLOCKED',
  ],
  [
    'blocks what a waiver of another digest covers',
    high,
    { waivers: [waiver({ digest: 'sha256:b' })] },
    'VULN_BLOCKED',
  ],
  ['needs a scan whatever is waived', skipped, { waivers: [waiver()] }, 'SCAN_REQUIRED'],
  // Feeds
  [
    'for KEV blocks what is in it',
    high,
    { policy: named({ rules: [ruleFixture({ kev: 'only' })] }), feeds: KEV },
    'VULN_BLOCKED',
  ],
  [
    'for KEV allows what is not in it',
    scanned({
      ...report(['HIGH']),
      vulnerabilities: report(['LOW', 'HIGH']).vulnerabilities.slice(1),
    }),
    { policy: named({ rules: [ruleFixture({ kev: 'only' })] }), feeds: KEV },
    null,
  ],
  [
    'for KEV blocks without the feed',
    high,
    { policy: named({ rules: [ruleFixture({ kev: 'only' })] }) },
    'VULN_BLOCKED',
  ],
  [
    'for KEV blocks with a feed that became too old',
    low,
    {
      policy: named({ rules: [ruleFixture({ kev: 'only', severities: ['LOW'] })] }),
      feeds: { kev: { readAt: daysLater(-7), has: () => false }, epss: null },
    },
    'VULN_BLOCKED',
  ],
  // Overrides of the job
  [
    'is not bent by a shorter list of the job',
    withOverrides(high, overrides([])),
    {},
    'VULN_BLOCKED',
  ],
  [
    'is not bent by a longer list of the job',
    withOverrides(low, overrides([...SEVERITIES])),
    {},
    null,
  ],
  [
    'does not ask who may override the settings',
    withOverrides(low, overrides(['CRITICAL'])),
    { settings: settingsOf({ severities: [...SEVERITIES] }) },
    null,
  ],
  [
    'that is the default is bent by the job',
    withOverrides(low, overrides(['LOW'])),
    { policy: defaultPolicy(DEFAULT_POLICY) },
    'VULN_BLOCKED',
  ],
  [
    'that is the default refuses a list that relaxes it',
    withOverrides(low, overrides(['CRITICAL'])),
    { policy: defaultPolicy(DEFAULT_POLICY) },
    'OVERRIDE_FORBIDDEN',
  ],
  [
    'needs a scan also where the job switched it off',
    withOverrides(skipped, overrides(null, false)),
    { settings: settingsOf({ override: 'anyone' }) },
    'SCAN_REQUIRED',
  ],
  // Bypass
  ['is bypassed by the privilege', high, { bypasses: true }, null],
  ['is bypassed by the privilege without a scan', skipped, { bypasses: true }, null],
])('the policy of the destination %s', (_, job, change, code) => {
  expect(codeOf(ask(job, change))).toBe(code);
});

const anySeverities = fc.uniqueArray(fc.constantFrom(...SEVERITIES));
const anyJob = fc
  .record({
    found: anySeverities,
    coverage: fc.constantFrom('full' as const, 'partial' as const, 'none' as const),
    failed: fc.boolean(),
  })
  .map(({ found, coverage, failed }) =>
    (failed ? failedSince : scanned)(report(found, { coverage }), LAX_SETTINGS),
  );
const anyNamed = fc
  .record({
    rules: fc.array(
      fc
        .record({
          severities: anySeverities,
          kev: fc.constantFrom('any' as const, 'only' as const),
        })
        .map(ruleFixture),
      { maxLength: 3 },
    ),
    unscannable: fc.constantFrom('block' as const, 'allow' as const),
    onError: fc.constantFrom('block' as const, 'allow' as const),
  })
  .map(named);

it('no override of the job and no setting changes the decision of a named policy', () => {
  const anyOverrides = fc.record({
    vulnScanEnabled: fc.option(fc.boolean()),
    vulnSeverities: fc.option(anySeverities),
  });
  const anySettings = fc
    .record({
      scanEnabled: fc.boolean(),
      severities: anySeverities,
      ignoreUnfixed: fc.boolean(),
      onError: fc.constantFrom('block', 'allow'),
      override: fc.constantFrom('privileged', 'anyone'),
    })
    .map(settingsOf);
  fc.assert(
    fc.property(anyJob, anyNamed, anyOverrides, anySettings, (job, policy, own, settings) => {
      const plain = ask({ ...job, overrides: NO_OVERRIDES }, { policy });
      expect(ask({ ...job, overrides: own }, { policy, settings })).toEqual(plain);
    }),
  );
});

it('a decision stays the same until the moment that its standing names', () => {
  const anyWaiver = fc
    .record({
      vulnerability: fc.constantFrom('CVE-0', 'CVE-1'),
      days: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ vulnerability, days }) => waiverFixture({ vulnerability, expiresAt: daysLater(days) }));
  const anyPart = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      anyJob,
      anyNamed,
      fc.array(anyWaiver, { maxLength: 3 }),
      anyPart,
      (job, policy, waivers, part) => {
        const change = { policy, waivers, feeds: KEV };
        const before = ask(job, change);
        const end = before.standing?.validUntil ?? daysLater(5);
        const now = new Date(
          NOW.getTime() + Math.floor((end.getTime() - NOW.getTime() - 1) * part),
        );
        expect(ask(job, { ...change, now })).toEqual(before);
      },
    ),
  );
});
