/** The part of a report that its verdict depends on, small enough to load for lists of images. */
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
  /** Whether third-party packages are the only gap. */
  lacksThirdPartyAlone: boolean;
  /** Severities of all findings. */
  severities: Severity[];
  /** Severities of findings with a fixed version. */
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

/** The verdict that `judge` has for the whole report, without overrides. */
export function verdictOfSummary(summary: ReportSummary, policy: ScanPolicy): Verdict {
  const { severities, fixable } = summary;
  const present = policy.ignoreUnfixed ? fixable : severities;
  return verdictOf({
    isBlocked: present.some((severity) => policy.severities.includes(severity)),
    isCovered: isCovered(summary, policy),
    isEmpty: severities.length === 0,
  });
}
