/** The part of a report that its standing depends on, small enough to keep for many images. */
import { lacksThirdPartyAlone, severityOf } from '../policy/verdict.ts';
import type {
  Coverage,
  PackageType,
  ScanReport,
  Severity,
  Vulnerability,
  VulnerablePackage,
} from '../policy/vulnerability.ts';

/** One vulnerability in one package. */
export interface Finding {
  id: string;
  severity: Severity;
  package: string;
  installedVersion: string;
  fixedVersion: string | null;
  /** Null where the report does not state it: such a finding is of every type. */
  packageType: PackageType | null;
  /** RFC 3339; null where it is unknown. */
  publishedAt: string | null;
}

export interface ReportFacts {
  coverage: Coverage;
  /** Whether third-party packages are the only gap. */
  lacksThirdPartyAlone: boolean;
  /** The type of what is no container image; null for an image. */
  artifactType: string | null;
  findings: Finding[];
  /** Build time of the vulnerability database; null where it is unknown. */
  databaseAt: string | null;
}

export function factsOf(report: ScanReport): ReportFacts {
  const findings = report.vulnerabilities.flatMap((found) =>
    found.packages.map((each) => findingOf(found, each)),
  );
  return {
    coverage: report.coverage,
    lacksThirdPartyAlone: lacksThirdPartyAlone(report),
    artifactType: report.artifactType ?? null,
    findings: distinct(findings),
    databaseAt: report.scanner.dbUpdatedAt,
  };
}

function findingOf(found: Vulnerability, each: VulnerablePackage): Finding {
  return {
    id: found.id,
    severity: severityOf(found, each),
    package: each.name,
    installedVersion: each.installedVersion,
    fixedVersion: each.fixedVersion || null,
    packageType: each.packageType ?? null,
    publishedAt: found.publishedAt,
  };
}

/** A package that occurs at several paths is one finding. */
function distinct(findings: Finding[]): Finding[] {
  const byKey = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...byKey.values()];
}
