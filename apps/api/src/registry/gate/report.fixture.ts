/** Reports of a scan, for tests of the gate. */
import type { ScanReport, Severity } from '@portcullis/domain';

export function cleanReport(): ScanReport {
  return {
    coverage: 'full',
    notes: [],
    os: null,
    targets: [],
    vulnerabilities: [],
    scanner: { name: 'trivy', version: '0.74.0', dbUpdatedAt: new Date().toISOString() },
  };
}

export function blockedReport(): ScanReport {
  return reportWith([{ id: 'CVE-2026-1234', severity: 'CRITICAL' }]);
}

/** Each finding in openssl 3.0.1, fixed in 3.0.2. */
export function reportWith(findings: readonly { id: string; severity: Severity }[]): ScanReport {
  return { ...cleanReport(), vulnerabilities: findings.map(vulnerability) };
}

function vulnerability({ id, severity }: { id: string; severity: Severity }) {
  return {
    id,
    severity,
    title: null,
    cvssScore: null,
    cvssVector: null,
    cvssSource: null,
    primaryUrl: null,
    publishedAt: null,
    packages: [
      {
        name: 'openssl',
        installedVersion: '3.0.1',
        fixedVersion: '3.0.2',
        status: 'fixed',
        target: 'debian',
        path: null,
        purl: null,
        layerDigest: null,
        platform: null,
      },
    ],
  };
}
