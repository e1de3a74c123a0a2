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

/**
 * The facts of an index that was not scanned as a whole, from those of the manifests below it.
 * Artifacts beside images, such as attestations, say nothing about the images.
 */
export function factsOfIndex(parts: readonly ReportFacts[]): ReportFacts {
  const images = parts.filter(({ artifactType }) => artifactType === null);
  const judged = images.length > 0 ? images : parts;
  const gaps = judged.filter(({ coverage }) => coverage !== 'full');
  return {
    coverage: coverageOf(judged),
    lacksThirdPartyAlone: gaps.length > 0 && gaps.every((each) => each.lacksThirdPartyAlone),
    artifactType: judged[0]?.artifactType ?? null,
    findings: distinct(judged.flatMap(({ findings }) => findings)),
    databaseAt: oldestOf(judged.map(({ databaseAt }) => databaseAt)),
  };
}

/** As the scanner states it of several images. */
function coverageOf(parts: readonly ReportFacts[]): Coverage {
  if (parts.every(({ coverage }) => coverage === 'none')) return 'none';
  return parts.every(({ coverage }) => coverage === 'full') ? 'full' : 'partial';
}

/** Null where one is unknown. The scanner writes times of several forms. */
function oldestOf(times: readonly (string | null)[]): string | null {
  if (times.includes(null)) return null;
  return times.toSorted((one, other) => Date.parse(one ?? '') - Date.parse(other ?? ''))[0] ?? null;
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
