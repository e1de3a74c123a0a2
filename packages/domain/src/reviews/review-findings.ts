/** What a review request asks for, and the waivers that its approval leaves behind. */
import { NO_FINDINGS } from '../policy/layer-counts.ts';
import {
  type ScanReport,
  SEVERITIES,
  type Severity,
  type SeverityCounts,
  type Vulnerability,
  type VulnerablePackage,
} from '../policy/vulnerability.ts';
import type { MatchedFinding } from '../standing/standing.ts';
import type { WaiverScope } from '../waivers/waiver.ts';
import {
  MOST_REVIEWED_PACKAGES,
  type Review,
  type ReviewedFinding,
  type ReviewedPackage,
} from './review.ts';

/**
 * The vulnerabilities that block, with what the report states of them; the most severe first. Of
 * the packages only those that block.
 */
export function reviewedFindings(
  report: Pick<ScanReport, 'vulnerabilities' | 'baseLayers'>,
  blocking: readonly Pick<MatchedFinding, 'finding'>[],
): ReviewedFinding[] {
  const byId = Map.groupBy(blocking, ({ finding }) => finding.id);
  const base = report.baseLayers && new Set(report.baseLayers);
  return report.vulnerabilities
    .flatMap((found) => {
      const matched = byId.get(found.id);
      return matched ? [findingOf(found, matched, base)] : [];
    })
    .toSorted(bySeverity);
}

function findingOf(
  found: Vulnerability,
  matched: readonly Pick<MatchedFinding, 'finding'>[],
  base: ReadonlySet<string> | undefined,
): ReviewedFinding {
  const keys = new Set(
    matched.map(({ finding }) => keyOf(finding.package, finding.installedVersion)),
  );
  const packages = distinct(
    found.packages
      .filter(({ name, installedVersion }) => keys.has(keyOf(name, installedVersion)))
      .map((each) => packageOf(each, base)),
  );
  return {
    vulnerability: found.id,
    severity: worstOf(matched.map(({ finding }) => finding.severity)),
    title: found.title,
    cvssScore: found.cvssScore,
    cvssVector: found.cvssVector,
    primaryUrl: found.primaryUrl,
    publishedAt: found.publishedAt,
    packages: packages.slice(0, MOST_REVIEWED_PACKAGES),
    packagesTotal: packages.length,
  };
}

function packageOf(
  { name, installedVersion, fixedVersion, layerDigest }: VulnerablePackage,
  base: ReadonlySet<string> | undefined,
): ReviewedPackage {
  const inBase = base === undefined || layerDigest === null ? null : base.has(layerDigest);
  return { name, installedVersion, fixedVersion: fixedVersion || null, inBase };
}

/** A package that occurs at several paths, or on several platforms, is one. */
function distinct(packages: readonly ReviewedPackage[]): ReviewedPackage[] {
  return [...new Map(packages.map((each) => [JSON.stringify(each), each])).values()];
}

const keyOf = (name: string, version: string) => JSON.stringify([name, version]);

function worstOf(severities: readonly Severity[]): Severity {
  return SEVERITIES.find((each) => severities.includes(each)) ?? 'UNKNOWN';
}

function bySeverity(one: ReviewedFinding, other: ReviewedFinding): number {
  const ranks = SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  return ranks || (one.vulnerability < other.vulnerability ? -1 : 1);
}

export function countsOfReview(findings: readonly ReviewedFinding[]): SeverityCounts {
  const counts = { ...NO_FINDINGS };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/**
 * One scope for each approved vulnerability: this image in the folder, or for another registry this
 * image in the repository of that name, because waivers know no registry.
 */
export function scopesOfReview(
  { image, destination, approved }: Pick<Review, 'image' | 'destination' | 'approved'>,
  findings: readonly ReviewedFinding[],
): WaiverScope[] {
  const { folder, repository } = destination;
  const byId = new Map(findings.map((finding) => [finding.vulnerability, finding]));
  return approved.map((vulnerability) => ({
    vulnerability,
    package: onlyPackage(byId.get(vulnerability)),
    packageVersion: null,
    repository: folder === null ? repository : null,
    digest: image.digest,
    folder,
  }));
}

/** The one package that has the vulnerability; null for several. */
function onlyPackage(finding: ReviewedFinding | undefined): string | null {
  if (!finding || finding.packagesTotal > MOST_REVIEWED_PACKAGES) return null;
  const names = new Set(finding.packages.map(({ name }) => name));
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}
