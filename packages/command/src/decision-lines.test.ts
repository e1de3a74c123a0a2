import type { ExplainedImage } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { decisionLines } from './decision-lines.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const WAIVER = '5f2d7c7e-0000-4000-8000-000000000000';

const FINDING: Omit<ExplainedImage['waived'][number], 'waiver' | 'until'> = {
  vulnerability: 'CVE-2026-1',
  severity: 'CRITICAL',
  package: 'openssl',
  installed_version: '3.0.1',
  fixed_version: '3.0.2',
  other_packages: ['libssl3'],
  other_packages_total: 1,
  rule: 0,
};

const REFUSED: ExplainedImage = {
  outcome: 'refused',
  because: null,
  code: 'VULN_BLOCKED',
  until: null,
  door: 'pull',
  mode: 'enforce',
  bypasses: false,
  requested_digest: DIGEST,
  digest: DIGEST,
  folder: 'prod',
  repository: 'prod/app',
  kind: 'image',
  policy: {
    id: null,
    name: 'default',
    version: '0123456789ab',
    grace_days: 7,
    min_age_hours: 0,
    rules: [
      {
        position: 0,
        severities: ['CRITICAL', 'HIGH'],
        fixable: 'only',
        kev: 'only',
        min_epss: 0.5,
        min_age_days: 10,
        package_types: 'os',
        action: 'block',
      },
    ],
  },
  report: {
    scanner: 'trivy',
    scanner_version: '0.74.0',
    scanned_at: '2026-11-22T11:00:00.000Z',
    database_at: '2026-11-22T06:00:00Z',
  },
  last_scan_failed: false,
  verdict: 'blocked',
  blocking: [{ ...FINDING, waivers: [{ waiver: WAIVER, miss: 'folder' }] }],
  blocking_total: 3,
  waived: [],
  waived_total: 0,
  warned_total: 0,
  missing_feeds: [],
  waits_until: null,
  age_waiver: null,
  signatures: [],
  unread_signatures: 0,
  hidden_signatures: false,
  signatures_fault: null,
  signature_waiver: null,
  passed_at: null,
  blocked_at: null,
  platforms: [],
};

it('a refusal has every step that led to it', () => {
  expect(decisionLines(REFUSED)).toEqual([
    `prod/app@${DIGEST}: refused (VULN_BLOCKED)`,
    '  door        pull, mode enforce of the folder prod',
    '  account     may not bypass the gate',
    '  decided by  this image',
    '  report      blocked, trivy 0.74.0 of 2026-11-22T11:00:00.000Z, database of 2026-11-22T06:00:00Z',
    '  policy      "default", version 0123456789ab',
    '  blocking    CRITICAL CVE-2026-1 in openssl 3.0.1 and 1 more package, fixed in 3.0.2',
    '              rule 1: block CRITICAL, HIGH; with a fix; in KEV; EPSS from 0.5; published 10 days ago; packages of kind os',
    `              waiver ${WAIVER}: it is for another folder`,
    '              2 more blocking',
    '  grace       7 days; it never passed in this folder',
  ]);
});

it.each<[string, Partial<ExplainedImage>, string]>([
  [
    'grace with its end',
    { outcome: 'served', because: 'grace', until: '2026-11-29T00:00:00.000Z' },
    'served, because of the grace period until 2026-11-29T00:00:00.000Z (VULN_BLOCKED)',
  ],
  ['a bypass', { outcome: 'served', because: 'bypass' }, 'because the account may bypass the gate'],
  ['no report', { outcome: 'held', code: 'PENDING', report: null }, 'report      none'],
  ['a failed scan', { last_scan_failed: true }, '; the last scan failed'],
  [
    'a waiver',
    { waived: [{ ...FINDING, waiver: WAIVER, until: '2026-12-01T00:00:00.000Z' }] },
    `fixed in 3.0.2: waiver ${WAIVER} until 2026-12-01T00:00:00.000Z`,
  ],
  ['a missing feed', { missing_feeds: ['kev'] }, 'kev is missing or too old'],
  [
    'an image of an index',
    { digest: `sha256:${'b'.repeat(64)}` },
    `decided by  the image sha256:${'b'.repeat(64)}`,
  ],
])('%s is said', (_, change, expected) => {
  expect(decisionLines({ ...REFUSED, ...change }).join('\n')).toContain(expected);
});

it('says who signed, and why each other signature does not count', () => {
  const asked = { requirement: 0, images: '**', any_of: ['release'], all_of: null };
  const answer = { authority: 'release', uncounted_total: 0, signed: [], uncounted: [] };
  const one = { signature: 'sha256:5', signer: 'ci@example.org', at: '2026-11-20T10:00:00.000Z' };
  const signed = { ...one, time_source: 'LOG' as const, until: null, by: null, log: null };
  const other = { signature: 'sha256:6', code: 'KEY_DIFFERS' as const, params: {} };
  const met = { ...asked, attestation: null, code: null };
  const lines = decisionLines({
    ...REFUSED,
    signatures: [
      { ...met, answers: [{ ...answer, state: 'signed', signed: [signed] }] },
      {
        ...{ ...met, requirement: 1, attestation: 'type', code: 'SIGNATURE_MISSING' },
        answers: [{ ...answer, state: 'missing', uncounted: [other], uncounted_total: 1 }],
      },
      {
        ...{ ...met, requirement: 2, code: 'SIGNATURES_NOT_VERIFIED' },
        answers: [{ ...answer, state: 'not_verified' }],
      },
    ],
    unread_signatures: 3,
    signatures_fault: { code: 'REGISTRY_UNREACHABLE', message: 'down', next_try_at: null },
    signature_waiver: { waiver: 'w1', until: '2026-12-01T00:00:00.000Z' },
  });
  expect(lines.filter((line) => line.startsWith('  signed'))).toEqual([
    '  signed      rule 1, a signature by release: met',
    '  signed      release: signed by ci@example.org at 2026-11-20T10:00:00.000Z',
    '  signed      rule 2, an attestation type by release: not met (SIGNATURE_MISSING)',
    '  signed      release: another key made it',
    '  signed      rule 3, a signature by release: not met (SIGNATURES_NOT_VERIFIED)',
    '  signed      release: not verified yet',
    '  signed      3 signatures more were not read',
    '  signed      could not be read the last time: down (REGISTRY_UNREACHABLE)',
    '  signed      waiver w1 until 2026-12-01T00:00:00.000Z',
  ]);
});
