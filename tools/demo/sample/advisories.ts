/** The made-up vulnerabilities of the demonstration, and Trivy's database of them. */
import { type BboltBucket, bboltFile } from '@portcullis/testing';

const SAMPLE_DATA = 'sample data';

type Ecosystem = 'alpine 3.22' | 'debian 12' | 'ubuntu 24.04' | 'go' | 'maven' | 'npm' | 'pip';
type Rating = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

export interface SampleAdvisory {
  id: string;
  in: Ecosystem;
  package: string;
  severity: Rating;
  score: number;
  /** Null: there is no fix. */
  fixed: string | null;
  title: string;
  /** The probability of its exploitation, as EPSS has it. */
  epss: number;
  /** Whether it is in the catalog of known exploited vulnerabilities. */
  isExploited?: true;
}

/** The scan of a canary image, which every database has to pass, finds the first and the third. */
export const ADVISORIES: readonly SampleAdvisory[] = [
  {
    id: 'CVE-2099-1001',
    in: 'debian 12',
    package: 'openssl',
    severity: 'CRITICAL',
    score: 9.8,
    fixed: '3.0.13-1',
    title: 'a buffer overflow while a certificate is parsed',
    epss: 0.31,
  },
  {
    id: 'CVE-2099-1002',
    in: 'debian 12',
    package: 'zlib',
    severity: 'HIGH',
    score: 7.5,
    fixed: null,
    title: 'a read past the end of a compressed stream',
    epss: 0.02,
  },
  {
    id: 'CVE-2099-1003',
    in: 'npm',
    package: 'lodash',
    severity: 'HIGH',
    score: 7.4,
    fixed: '4.17.21',
    title: 'a prototype that callers can change',
    epss: 0.09,
  },
  {
    id: 'CVE-2099-1004',
    in: 'alpine 3.22',
    package: 'musl',
    severity: 'MEDIUM',
    score: 4.4,
    fixed: '1.2.5-r11',
    title: 'a wrong bound in the conversion of characters',
    epss: 0.001,
  },
  {
    id: 'CVE-2099-1005',
    in: 'ubuntu 24.04',
    package: 'tar',
    severity: 'LOW',
    score: 3.3,
    fixed: '1.35+dfsg-3.1',
    title: 'a file that is extracted outside of its folder',
    epss: 0.001,
  },
  {
    id: 'CVE-2099-1006',
    in: 'pip',
    package: 'requests',
    severity: 'MEDIUM',
    score: 5.9,
    fixed: '2.32.4',
    title: 'credentials that are sent along after a redirect',
    epss: 0.004,
  },
  {
    id: 'CVE-2099-1007',
    in: 'maven',
    package: 'org.example:ledger',
    severity: 'CRITICAL',
    score: 10,
    fixed: '2.1.0',
    title: 'code that a log message can run',
    epss: 0.97,
    isExploited: true,
  },
  {
    id: 'CVE-2099-1008',
    in: 'go',
    package: 'example.org/router',
    severity: 'HIGH',
    score: 8.1,
    fixed: '1.4.2',
    title: 'requests that one connection can smuggle into another',
    epss: 0.06,
  },
];

/** Ecosystems of libraries; the others are distributions, whose buckets are their names. */
const LIBRARIES: readonly Ecosystem[] = ['go', 'maven', 'npm', 'pip'];
const LEVELS: Record<Rating, number> = { LOW: 1, MEDIUM: 2, HIGH: 3, CRITICAL: 4 };
const AFFECTED = 2;

/** In the format of trivy-db, version 2. */
export function sampleDatabase(): Buffer {
  const buckets = Map.groupBy(ADVISORIES, (advisory) => bucketOf(advisory.in));
  const advisories = [...buckets].map(([bucket, all]) => [
    bucket,
    Object.fromEntries(all.map((each) => [each.package, { [each.id]: advisoryOf(each) }])),
  ]);
  const root: BboltBucket = {
    ...Object.fromEntries(advisories),
    'data-source': Object.fromEntries(
      [...buckets].map(([bucket, [first]]) => [bucket, sourceOf(first?.in)]),
    ),
    vulnerability: Object.fromEntries(ADVISORIES.map((each) => [each.id, detailOf(each)])),
  };
  return bboltFile(root);
}

function bucketOf(ecosystem: Ecosystem): string {
  return LIBRARIES.includes(ecosystem) ? `${ecosystem}::Portcullis ${SAMPLE_DATA}` : ecosystem;
}

function sourceOf(ecosystem: Ecosystem = 'npm'): string {
  return JSON.stringify({
    ID: LIBRARIES.includes(ecosystem) ? 'ghsa' : ecosystem.split(' ')[0],
    Name: `Portcullis ${SAMPLE_DATA}`,
    URL: 'https://advisories.example/',
  });
}

function advisoryOf(advisory: SampleAdvisory): string {
  const { fixed } = advisory;
  if (fixed === null) return JSON.stringify({ Status: AFFECTED });
  return JSON.stringify(
    LIBRARIES.includes(advisory.in)
      ? { PatchedVersions: [fixed], VulnerableVersions: [`<${fixed}`] }
      : { FixedVersion: fixed },
  );
}

function detailOf({ id, in: ecosystem, package: name, severity, score, title }: SampleAdvisory) {
  const source = LIBRARIES.includes(ecosystem) ? 'ghsa' : 'nvd';
  return JSON.stringify({
    Title: `Sample data: ${name}, ${title}`,
    Description: 'Made up for the demonstration of Portcullis. No software has this flaw.',
    Severity: severity,
    VendorSeverity: { [source]: LEVELS[severity] },
    CVSS: { [source]: { V3Score: score } },
    References: [`https://advisories.example/${id}`],
    PublishedDate: '2026-01-15T00:00:00Z',
    LastModifiedDate: '2026-01-16T00:00:00Z',
  });
}
