import { expect, it } from 'vitest';
import type { ScanReport, Vulnerability, VulnerablePackage } from '../policy/vulnerability.ts';
import { scannedVulnerabilities, statedFindings } from './scanned-vulnerabilities.ts';

const IMAGE = { repository: 'team/app', digest: `sha256:${'a'.repeat(64)}` };
const BY = { keyId: 'sha256:key', publicUrl: 'https://images.example.com', version: '1.0.0' };

const inPackage = (name: string, platform: string | null = null): VulnerablePackage => ({
  ...{ name, packageType: 'os', installedVersion: '1', fixedVersion: '2', severity: 'HIGH' },
  ...{ status: 'fixed', target: 'debian', path: null, layerDigest: null, platform },
  purl: `pkg:deb/debian/${name}@1`,
});
const vulnerability = (id: string, ...packages: VulnerablePackage[]): Vulnerability => ({
  ...{ id, severity: 'HIGH', title: null, cvssScore: null, cvssVector: null, cvssSource: null },
  ...{ primaryUrl: `https://avd.example.com/${id}`, publishedAt: null, packages },
});
const reportOf = (...vulnerabilities: Vulnerability[]): ScanReport => ({
  ...{ coverage: 'full', notes: [], os: null, targets: [], vulnerabilities },
  scanner: { name: 'trivy', version: '0.74.0', dbUpdatedAt: null },
});
const scanOf = (databaseAt: string | null) => ({
  ...{ at: new Date('2026-11-20T00:00:00Z'), scannerVersion: '0.74.0', databaseAt },
});

it('findings are stated by target and platform, in one order whatever the order of the report', () => {
  const [one, two] = [
    vulnerability('CVE-1', inPackage('curl', 'linux/amd64'), inPackage('curl', 'linux/arm64')),
    vulnerability('CVE-0', inPackage('bash', 'linux/amd64')),
  ];
  const stated = statedFindings(reportOf(one, two));
  expect(stated.map(({ Platform, Vulnerabilities }) => [Platform, Vulnerabilities.length])).toEqual(
    [
      ['linux/amd64', 2],
      ['linux/arm64', 1],
    ],
  );
  expect(stated).toEqual(statedFindings(reportOf(two, one)));
  expect(stated[1]?.Vulnerabilities).toEqual([
    {
      ...{ VulnerabilityID: 'CVE-1', PkgName: 'curl', InstalledVersion: '1', FixedVersion: '2' },
      ...{ PkgIdentifier: { PURL: 'pkg:deb/debian/curl@1' }, Status: 'fixed', Severity: 'HIGH' },
      PrimaryURL: 'https://avd.example.com/CVE-1',
    },
  ]);
});

it.each<[string, string | null, string]>([
  ['of the scan', null, '2026-11-20T00:00:00.000Z'],
  ['of the scan, with an older database', '2026-11-19T06:00:00Z', '2026-11-20T00:00:00.000Z'],
  ['of a newer database that confirmed it', '2026-11-29T06:00:00Z', '2026-11-29T06:00:00.000Z'],
])('its time is that %s', (_, databaseAt, scanFinishedOn) => {
  const report = reportOf();
  expect(scannedVulnerabilities(IMAGE, { report, scan: scanOf(databaseAt) }, BY)).toMatchObject({
    metadata: { scanFinishedOn },
    scanner: {
      version: '0.74.0',
      result: { ArtifactName: `images.example.com/team/app@${IMAGE.digest}`, Results: [] },
    },
  });
});
