/**
 * Verdicts: from a report to a verdict under a policy, and who may override the policy for one job.
 */
import { ALLOWED, type Decision, denied } from '../access/decision.ts';
import type { Principal } from '../access/principal.ts';
import {
  type Coverage,
  type CoverageGap,
  type RatedVerdict,
  type ScanOverrides,
  type ScanPolicy,
  type ScanReport,
  SEVERITIES,
  type Severity,
  type SeverityCounts,
  type Verdict,
  type Vulnerability,
  type VulnerablePackage,
  type VulnResult,
} from './vulnerability.ts';

export interface Judgement {
  verdict: Verdict;
  result: VulnResult;
}

/** Judges a report under the policy with the overrides of the job. */
export function judge(report: ScanReport, policy: ScanPolicy, overrides: ScanOverrides): Judgement {
  const severities = blockingSeverities(policy, overrides);
  const blocking = countBlocking(report.vulnerabilities, { ...policy, severities });
  const blocked = SEVERITIES.some((severity) => blocking[severity] > 0);
  const result = {
    ...report,
    enabled: true,
    blocked,
    severities,
    blocking,
    counts: countBySeverity(report.vulnerabilities),
    fixable: countBySeverity(report.vulnerabilities.filter(isFixable)),
    total: report.vulnerabilities.length,
  };
  const covered = { coverage: report.coverage, lacksThirdPartyAlone: lacksThirdPartyAlone(report) };
  const facts = {
    isBlocked: blocked,
    isCovered: isCovered(covered, policy),
    isEmpty: report.vulnerabilities.length === 0,
  };
  return { verdict: verdictOf(facts), result };
}

/** `clean` and `findings` need full coverage: what the scanner could not see is not clean. */
export function verdictOf(facts: {
  isBlocked: boolean;
  isCovered: boolean;
  isEmpty: boolean;
}): RatedVerdict {
  if (facts.isBlocked) return 'blocked';
  if (!facts.isCovered) return 'unscannable';
  return facts.isEmpty ? 'clean' : 'findings';
}

/** The verdict after a failed scan: `blocked` stays, everything else becomes `error`. */
export function verdictAfterFailure(known: Verdict): Verdict {
  return known === 'blocked' ? 'blocked' : 'error';
}

/** The verdict as it was judged last, without the rule for third-party packages. */
export function verdictOfResult({ blocked, coverage, total }: VulnResult): Verdict {
  return verdictOf({ isBlocked: blocked, isCovered: coverage === 'full', isEmpty: total === 0 });
}

/** Whether the image is fully covered, apart from third-party packages that the policy accepts. */
export function isCovered(
  { coverage, lacksThirdPartyAlone }: { coverage: Coverage; lacksThirdPartyAlone: boolean },
  { thirdParty }: Pick<ScanPolicy, 'thirdParty'>,
): boolean {
  if (coverage === 'full') return true;
  return coverage === 'partial' && thirdParty === 'accept' && lacksThirdPartyAlone;
}

export function lacksThirdPartyAlone({ gaps = [] }: Pick<ScanReport, 'gaps'>): boolean {
  return gaps.length > 0 && gaps.every(isThirdParty);
}

function isThirdParty({ kind }: CoverageGap): boolean {
  return kind === 'third_party' || kind === 'archives_unknown';
}

/** Sorted by severity, without duplicates. */
export function blockingSeverities(policy: ScanPolicy, overrides: ScanOverrides): Severity[] {
  const wanted = overrides.vulnSeverities ?? policy.severities;
  return SEVERITIES.filter((severity) => wanted.includes(severity));
}

type BlockingRule = Pick<ScanPolicy, 'severities' | 'ignoreUnfixed'>;

function countBlocking(found: Vulnerability[], rule: BlockingRule): SeverityCounts {
  return countBySeverity(
    found.flatMap((each) => {
      const severity = blockingSeverity(each, rule);
      return severity ? [{ severity }] : [];
    }),
  );
}

/**
 * The worst severity by which one of its packages blocks, as in `trivy --severity …
 * --ignore-unfixed`.
 */
function blockingSeverity(
  found: Vulnerability,
  { severities, ignoreUnfixed }: BlockingRule,
): Severity | undefined {
  const blocking = found.packages.filter((each) => !ignoreUnfixed || hasFix(each));
  return severities.find((severity) =>
    blocking.some((each) => severityOf(found, each) === severity),
  );
}

/** Reports of older releases have a severity for the vulnerability only. */
export function severityOf(
  found: Pick<Vulnerability, 'severity'>,
  { severity }: VulnerablePackage,
): Severity {
  return severity ?? found.severity;
}

function hasFix({ fixedVersion }: VulnerablePackage): boolean {
  return fixedVersion !== null && fixedVersion !== '';
}

function isFixable(found: Vulnerability): boolean {
  return found.packages.some(hasFix);
}

export function countBySeverity(found: readonly Pick<Vulnerability, 'severity'>[]): SeverityCounts {
  const counts: SeverityCounts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
  for (const { severity } of found) counts[severity] += 1;
  return counts;
}

/** Whether the job is scanned after its pull. */
export function scanWanted(
  policy: Pick<ScanPolicy, 'scanEnabled'>,
  overrides: ScanOverrides,
): boolean {
  return overrides.vulnScanEnabled ?? policy.scanEnabled;
}

/** The overrides that allow more than the policy. Stricter overrides need no privilege. */
export function relaxing(policy: ScanPolicy, overrides: ScanOverrides): (keyof ScanOverrides)[] {
  const list = overrides.vulnSeverities;
  const isShorter = list !== null && policy.severities.some((severity) => !list.includes(severity));
  return [
    ...(overrides.vulnScanEnabled === false ? (['vulnScanEnabled'] as const) : []),
    ...(isShorter ? (['vulnSeverities'] as const) : []),
  ];
}

export function mayOverride(
  policy: ScanPolicy,
  overrides: ScanOverrides,
  principal: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>,
): Decision {
  if (
    relaxing(policy, overrides).length === 0 ||
    policy.override === 'anyone' ||
    bypasses(principal)
  )
    return ALLOWED;
  return denied(
    'OVERRIDE_FORBIDDEN',
    'Relaxing the scan policy for one image needs can_bypass_vuln_block.',
  );
}

export function bypasses(principal: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>): boolean {
  return principal.isAdmin || principal.canBypassVulnBlock;
}
