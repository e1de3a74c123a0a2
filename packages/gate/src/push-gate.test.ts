import {
  DEFAULT_POLICY,
  defaultPolicy,
  judge,
  type Policy,
  type PolicyRules,
  type ScanPolicy,
  type ScanReport,
  type Severity,
  USUAL_BYPASS,
  type Waiver,
} from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { describe, expect, it } from 'vitest';
import type { GatedJob, PushTarget } from './push-explanation.ts';
import { assertPushed, createPushGate, decisionIn, isScannedAtRetry } from './push-gate.ts';
import type { PolicyScope } from './rules.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const TOMORROW = new Date('2026-11-23T12:00:00Z');
const USER = { isAdmin: false, canBypassVulnBlock: false };
const PRIVILEGED = { isAdmin: false, canBypassVulnBlock: true };
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

const PROD: PushTarget = { registryId: '__local__', repository: 'prod/app', folder: 'prod' };
const TEAM: PushTarget = { registryId: '__local__', repository: 'team/app', folder: 'team' };
const SAVED: PushTarget = { registryId: 'r1', repository: 'acme/app', folder: null };
const HOST: PushTarget = { registryId: null, repository: 'acme/app', folder: null };

function named(name: string, change: Partial<PolicyRules> = {}): Policy {
  return { ...defaultPolicy(DEFAULT_POLICY), id: name, name, version: '3', ...change };
}

const POLICIES: Record<string, Policy> = {
  prod: named('prod'),
  r1: named('outside', { rules: [] }),
};

function policyOf(target: PolicyScope): Policy {
  const key = 'folder' in target ? target.folder : target.registryId;
  // The default policy as it was loaded, before the settings changed.
  return POLICIES[key] ?? defaultPolicy({ ...DEFAULT_POLICY, severities: [] });
}

interface World {
  settings?: ScanPolicy;
  waivers?: Waiver[];
  now?: Date;
}

function gateOf({ settings = DEFAULT_POLICY, waivers = [], now = NOW }: World = {}) {
  return createPushGate({
    rules: async () => ({
      ...{ policyOf, waivers, feeds: { kev: null, epss: null } },
      authorities: new Map(),
    }),
    signatures: async () => new Map(),
    settings: async () => settings,
    database: async () => null,
    now: () => now,
  });
}

function scanned(severities: Severity[], report: Partial<ScanReport> = {}): GatedJob {
  const found = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
  const place = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  const whole: ScanReport = {
    coverage: 'full',
    notes: [],
    os: null,
    targets: [],
    scanner: { name: 'trivy', version: '0.74.0', dbUpdatedAt: '2026-11-22T06:00:00Z' },
    vulnerabilities: severities.map((severity, at) => ({
      ...{ id: `CVE-2026-${at}`, severity, ...found, primaryUrl: null, publishedAt: null },
      packages: [
        {
          ...{ name: 'openssl', severity, status: 'fixed', ...place },
          ...{ installedVersion: '3.0.1', fixedVersion: '3.0.2' },
        },
      ],
    })),
    ...report,
  };
  const { verdict, result } = judge(whole, DEFAULT_POLICY, NO_OVERRIDES);
  const known = { digest: 'sha256:a', sightedAt: null, overrides: NO_OVERRIDES };
  return { ...known, verdict, vulnResult: result };
}

const CRITICAL = scanned(['CRITICAL']);
const SKIPPED: GatedJob = { ...CRITICAL, verdict: 'skipped', vulnResult: null };

async function judged(
  target: PushTarget,
  job: GatedJob,
  {
    account = USER,
    bypass = USUAL_BYPASS,
    ...world
  }: World & { account?: typeof USER; bypass?: typeof USUAL_BYPASS } = {},
) {
  return (await gateOf(world).open({ target, account, bypass, digests: [] })).judge(job);
}

describe('a push', () => {
  it.each<[string, PushTarget, string, string | null]>([
    ['into a folder with a policy is judged by it', PROD, 'prod', 'VULN_BLOCKED'],
    ['into another folder is judged by the settings of now', TEAM, 'default', 'VULN_BLOCKED'],
    ['to a saved registry with a policy is judged by it', SAVED, 'outside', null],
    ['to another host is judged by the settings', HOST, 'default', 'VULN_BLOCKED'],
  ])('%s', async (_, target, policy, code) => {
    const { decision, explanation } = await judged(target, CRITICAL);
    expect(decision.allowed ? null : decision.code).toBe(code);
    expect(explanation).toMatchObject({
      policy: { name: policy },
      code,
      registry: target.registryId,
      folder: target.folder,
      repository: target.repository,
    });
  });

  it.each<[string, Parameters<typeof judged>, string]>([
    [
      'findings',
      [PROD, CRITICAL],
      'Blocked by policy "prod": 1 critical (CVE-2026-0 in openssl 3.0.1, fixed in 3.0.2).',
    ],
    [
      'a scan that a retry makes',
      [PROD, SKIPPED],
      'Blocked by policy "prod": the image was never scanned; retry the job to scan it.',
    ],
    [
      'a scan that the next pull of a mirror makes',
      [{ ...PROD, isMirror: true }, SKIPPED],
      'Blocked by policy "prod": the image was never scanned.',
    ],
    [
      'a scan that the job switched off',
      [PROD, { ...SKIPPED, overrides: { ...NO_OVERRIDES, vulnScanEnabled: false } }],
      'Blocked by policy "prod": the image was not scanned; pull it again with a scan.',
    ],
    [
      'incomplete coverage',
      [TEAM, scanned([], { coverage: 'partial' })],
      'Blocked by policy "default": the scanner could not cover the whole image.',
    ],
    [
      'an old database',
      [HOST, scanned([]), { settings: { ...DEFAULT_POLICY, maxDatabaseAgeDays: 0.1 } }],
      'Blocked by policy "default": the vulnerability database is older than it accepts (0.1 days).',
    ],
    [
      'an override',
      [
        TEAM,
        { ...scanned(['HIGH']), overrides: { ...NO_OVERRIDES, vulnSeverities: ['CRITICAL'] } },
      ],
      'Blocked by policy "default": relaxing it for one image needs can_bypass_vuln_block.',
    ],
  ])('that is refused names the policy and the reason: %s', async (_, args, reason) => {
    expect(await judged(...args)).toMatchObject({ decision: { allowed: false, reason } });
  });

  it('that a waiver lets pass names the waiver and its end', async () => {
    const waiver: Waiver = {
      ...{
        id: 'w1',
        vulnerability: 'CVE-2026-0',
        package: null,
        packageVersion: null,
        repository: 'prod/*',
      },
      ...{ digest: null, folder: 'prod', status: 'accepted', justification: null, reason: 'r' },
      ...{ ticket: null, state: 'approved', requestedById: 'u1', approvals: [], createdAt: NOW },
      expiresAt: TOMORROW,
    };
    const until = TOMORROW.toISOString();
    expect(await judged(PROD, CRITICAL, { waivers: [waiver] })).toMatchObject({
      decision: { allowed: true },
      bypassed: null,
      explanation: {
        outcome: 'allowed',
        because: 'passes',
        verdict: 'findings',
        waived: [{ vulnerability: 'CVE-2026-0', waiver: 'w1', until }],
        valid_until: until,
      },
    });
    expect(await judged(PROD, CRITICAL, { waivers: [waiver], now: TOMORROW })).toMatchObject({
      decision: { allowed: false, code: 'VULN_BLOCKED' },
      explanation: { blocking: [{ waivers: [{ waiver: 'w1', miss: 'expired' }] }] },
    });
  });

  it.each([
    ['passes by the privilege', PRIVILEGED, true, 'VULN_BLOCKED', 'bypass'],
    ['is refused where the privilege is not used', PRIVILEGED, false, null, null],
    ['is refused without the privilege', USER, true, null, null],
  ] as const)('of a blocked image %s', async (_, account, allowed, bypassed, because) => {
    const bypass = { allowed, reason: null };
    expect(await judged(PROD, CRITICAL, { account, bypass })).toMatchObject({
      decision: { allowed: because !== null },
      bypassed,
      explanation: { because, code: 'VULN_BLOCKED', blocking_total: 1 },
    });
  });
});

it.each<[string, GatedJob, boolean]>([
  ['findings', CRITICAL, false],
  ['a scan that a retry makes', SKIPPED, true],
  [
    'a scan that the job switched off',
    { ...SKIPPED, overrides: { ...NO_OVERRIDES, vulnScanEnabled: false } },
    false,
  ],
])('a refusal for want of %s says whether a retry scans: %#', async (_, job, expected) => {
  try {
    assertPushed(await judged(PROD, job));
    expect.unreachable();
  } catch (error) {
    expect(isScannedAtRetry(error)).toBe(expected);
  }
});

it('a refusal is thrown with its decision, and what is allowed is not', async () => {
  const refused = await judged(PROD, CRITICAL);
  const thrown = () => {
    try {
      assertPushed(refused);
      return null;
    } catch (error) {
      return error;
    }
  };
  const error = thrown();
  expect(isAppError(error) && error.code).toBe('VULN_BLOCKED');
  expect(decisionIn(error)).toBe(refused.explanation);
  expect(decisionIn(new Error('other'))).toBeNull();
  assertPushed(await judged(SAVED, CRITICAL));
});
