/**
 * What a scan found, as cosign's record of a vulnerability scan
 * (https://github.com/sigstore/cosign/blob/main/specs/COSIGN_VULN_ATTESTATION_SPEC.md). The result
 * has the members of Trivy's own report that policies read.
 */
import { severityOf } from '../policy/verdict.ts';
import type { ScanReport } from '../policy/vulnerability.ts';
import { issuerOf, nameOf, type StatedBy, type StatedImage } from './statement.ts';

/** When and by what an image was scanned. */
export interface StatedScan {
  /** When the scan ended whose report it is. */
  at: Date;
  scannerVersion: string;
  /** Build time of the vulnerability database that the report was compared with last. */
  databaseAt: string | null;
}

/** Findings in the packages of one target of the scanner, and of one platform. */
export interface StatedResult {
  Target: string;
  Class: string;
  Platform?: string;
  Vulnerabilities: {
    VulnerabilityID: string;
    PkgName: string;
    PkgPath?: string;
    PkgIdentifier?: { PURL: string };
    InstalledVersion: string;
    FixedVersion?: string;
    Status: string;
    Severity: string;
    PrimaryURL?: string;
  }[];
}

/** What is stated of a report: another one is stated only where this is another. */
export function statedFindings({ vulnerabilities }: ScanReport): StatedResult[] {
  const results = new Map<string, StatedResult>();
  for (const found of vulnerabilities)
    for (const each of found.packages) {
      const { target, platform, path, purl, fixedVersion, packageType } = each;
      const key = JSON.stringify([platform, target, packageType]);
      const result = results.get(key) ?? {
        Target: target,
        Class: packageType === 'os' ? 'os-pkgs' : 'lang-pkgs',
        ...(platform !== null && { Platform: platform }),
        Vulnerabilities: [],
      };
      results.set(key, result);
      result.Vulnerabilities.push({
        VulnerabilityID: found.id,
        PkgName: each.name,
        ...(path !== null && { PkgPath: path }),
        ...(purl !== null && { PkgIdentifier: { PURL: purl } }),
        InstalledVersion: each.installedVersion,
        ...(fixedVersion && { FixedVersion: fixedVersion }),
        Status: each.status,
        Severity: severityOf(found, each),
        ...(found.primaryUrl !== null && { PrimaryURL: found.primaryUrl }),
      });
    }
  return sortedBy([...results], ([key]) => key).map(([, result]) => ({
    ...result,
    Vulnerabilities: sortedBy(result.Vulnerabilities, (each) => JSON.stringify(each)),
  }));
}

export function scannedVulnerabilities(
  image: StatedImage,
  { report, scan }: { report: ScanReport; scan: StatedScan },
  by: StatedBy,
) {
  const { scannerVersion: version, databaseAt } = scan;
  const scannedAt = comparedAt(scan).toISOString();
  return {
    invocation: { parameters: [], uri: '', event_id: '', 'builder.id': issuerOf(by) },
    scanner: {
      uri: `pkg:github/aquasecurity/trivy@v${version}`,
      version,
      db: {
        uri: 'urn:portcullis:vulnerability-database',
        version: databaseAt ?? '',
        ...(databaseAt !== null && { lastUpdate: databaseAt }),
      },
      result: {
        SchemaVersion: 2,
        ArtifactName: `${nameOf(image, by)}@${image.digest}`,
        ArtifactType: 'container_image',
        Results: statedFindings(report),
      },
    },
    metadata: { scanStartedOn: scannedAt, scanFinishedOn: scannedAt },
  };
}

/**
 * The findings were compared with this database and did not change: that was at its build time at
 * the earliest.
 */
function comparedAt({ at, databaseAt }: StatedScan): Date {
  const built = databaseAt === null ? Number.NaN : Date.parse(databaseAt);
  return built > at.getTime() ? new Date(built) : at;
}

/** Makes each key once: a report has thousands of findings, and it is made while others wait. */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ key: keyOf(item), item }));
  return keyed
    .sort(({ key: one }, { key: other }) => {
      if (one === other) return 0;
      return one < other ? -1 : 1;
    })
    .map(({ item }) => item);
}
