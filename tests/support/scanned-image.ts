/** Creates a tagged image with a current report in the database; other tests run real scans. */
import type { ScanReport, Severity, Vulnerability } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import type { Product } from './product.ts';

const FOUND: Severity[] = ['CRITICAL', 'HIGH', 'HIGH'];

export async function addScannedImage(product: Product, repository: string): Promise<void> {
  const store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  const digest = `sha256:${'5'.repeat(64)}`;
  const scanner = { name: 'trivy', version: '0.1', dbUpdatedAt: null };
  const vulnerabilities = FOUND.map(vulnerability);
  const report: ScanReport = {
    coverage: 'full',
    notes: [],
    os: null,
    targets: [],
    vulnerabilities,
    scanner,
  };
  try {
    await store.images.record({ repository, tag: '1.0', digest, manifests: [], at: new Date() });
    await store.reports.record({ digest, report, scannedAt: new Date() });
  } finally {
    await store.close();
  }
}

function vulnerability(severity: Severity, at: number): Vulnerability {
  const NO_DETAILS = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
  const place = { target: 'debian 12', path: null, purl: null, layerDigest: null, platform: null };
  const packages = [
    { name: 'openssl', installedVersion: '1', fixedVersion: null, status: 'affected', ...place },
  ];
  return {
    id: `CVE-2099-000${at}`,
    severity,
    ...NO_DETAILS,
    primaryUrl: null,
    publishedAt: null,
    packages,
  };
}
