/** Reports, and jobs after their scans, for tests of verdicts and of the gate. */
import { jobFixture } from '../pipeline/staging.fixture.ts';
import { advance } from '../pipeline/staging.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { judge } from './verdict.ts';
import type { ScanOverrides, ScanPolicy, ScanReport, Severity } from './vulnerability.ts';

export const NO_OVERRIDES: ScanOverrides = { vulnScanEnabled: null, vulnSeverities: null };
export const NOW = new Date('2026-11-22T12:00:00Z');
export const YESTERDAY = '2026-11-21T12:00:00Z';
export const TODAY = '2026-11-22T06:00:00.123456789Z';

export function policy(change: Partial<ScanPolicy> = {}): ScanPolicy {
  return { ...DEFAULT_POLICY, ...change };
}

export function report(
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
export function scanned(scan: ScanReport, rules = policy(), overrides = NO_OVERRIDES) {
  const { verdict, result } = judge(scan, rules, overrides);
  return jobFixture({ status: 'staged', verdict, vulnResult: result, overrides });
}

/** As `scanned`, but the next scan failed. */
export function failedSince(...scan: Parameters<typeof scanned>) {
  const scanning = { ...scanned(...scan), status: 'scanning' as const };
  const error = { code: 'SCAN_TIMEOUT', message: 'too slow', side: null, retryable: false };
  return advance(scanning, { kind: 'failed', error }, NOW);
}
