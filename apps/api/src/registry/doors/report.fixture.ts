/** Reports of a scan, for tests of the gate. */
import type { ScanReport } from '@portcullis/domain';

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
  return {
    ...cleanReport(),
    vulnerabilities: [
      {
        id: 'CVE-2026-1234',
        severity: 'CRITICAL',
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
      },
    ],
  };
}
