/** All of a report that a verdict depends on: small enough to be read for every image of a page. */
import { isCovered, lacksThirdPartyAlone, severityOf, verdictOf } from './verdict.ts';
import {
  type Coverage,
  type ScanPolicy,
  type ScanReport,
  SEVERITIES,
  type Severity,
  type Verdict,
} from './vulnerability.ts';

export interface ReportSummary {
  coverage: Coverage;
  /** Nothing but packages of other makers was not judged. */
  lacksThirdPartyAlone: boolean;
  /** Those that a package has. */
  severities: Severity[];
  /** Those that a package with a fixed version has. */
  fixable: Severity[];
}

export function summarize(report: ScanReport): ReportSummary {
  const rated = report.vulnerabilities.flatMap((found) =>
    found.packages.map((each) => ({
      severity: severityOf(found, each),
      isFixable: Boolean(each.fixedVersion),
    })),
  );
  const among = (packages: typeof rated) =>
    SEVERITIES.filter((severity) => packages.some((each) => each.severity === severity));
  return {
    coverage: report.coverage,
    lacksThirdPartyAlone: lacksThirdPartyAlone(report),
    severities: among(rated),
    fixable: among(rated.filter(({ isFixable }) => isFixable)),
  };
}

/** As `judge` of the whole report, without a job's overrides. */
export function verdictOfSummary(summary: ReportSummary, policy: ScanPolicy): Verdict {
  const { severities, fixable } = summary;
  const present = policy.ignoreUnfixed ? fixable : severities;
  return verdictOf({
    isBlocked: present.some((severity) => policy.severities.includes(severity)),
    isCovered: isCovered(summary, policy),
    isEmpty: severities.length === 0,
  });
}
