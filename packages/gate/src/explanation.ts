/**
 * A decision with every step that led to it, in the form that replies, audit events and commands
 * share, and the one line that clients print.
 */
import {
  type Finding,
  type JudgedSubject,
  type MatchedFinding,
  type PullDecision,
  type RefusalCode,
  SEVERITIES,
  type Severity,
  type Standing,
} from '@portcullis/domain';
import type { DecidedPull } from './pull-door.ts';

/** An audit event holds as many; the totals count all. */
const MOST_FINDINGS = 10;
const MOST_PLATFORMS = 20;
const MOST_WAIVERS = 5;

export function explain(decided: DecidedPull) {
  const { mode, judged, children } = decided;
  const { image, policy, subject, record, report } = judged;
  const standing = subject.kind === 'image' ? subject.standing : null;
  return {
    ...outcomeOf(decided),
    mode,
    digest: image.digest,
    folder: image.folder,
    repository: image.repository,
    kind: subject.kind,
    policy: { id: policy.id, name: policy.name, version: policy.version },
    report: report && {
      scanner: report.scanner.name,
      scanner_version: report.scanner.version,
      scanned_at: report.scannedAt.toISOString(),
      database_at: subject.kind === 'image' ? subject.databaseAt : null,
    },
    last_scan_failed: subject.kind === 'image' && subject.lastScanFailed,
    verdict: standing?.verdict ?? null,
    ...findingsOf(standing),
    missing_feeds: standing?.missingFeeds ?? [],
    passed_at: record?.passedAt?.toISOString() ?? null,
    blocked_at: record?.blockedAt?.toISOString() ?? null,
    platforms: children.slice(0, MOST_PLATFORMS).map((child) => ({
      platform: child.platform,
      digest: child.judged.image.digest,
      ...outcomeOf(child),
    })),
  };
}

function outcomeOf({ decision }: Pick<DecidedPull, 'decision'>) {
  return {
    outcome: outcomeWord(decision),
    because: decision.serve === true ? decision.because : null,
    code: 'code' in decision ? decision.code : decision.serve === null ? 'PENDING' : null,
    until: 'until' in decision ? decision.until.toISOString() : null,
  };
}

function outcomeWord({ serve }: PullDecision): 'served' | 'held' | 'refused' {
  if (serve === null) return 'held';
  return serve ? 'served' : 'refused';
}

function findingsOf(standing: Standing | null) {
  const { blocking = [], waived = [], warned = [] } = standing ?? {};
  return {
    blocking: blocking.slice(0, MOST_FINDINGS).map(matchedOf),
    blocking_total: blocking.length,
    waived: waived.slice(0, MOST_FINDINGS).map(({ finding, rule, waiverId, until }) => ({
      ...findingOf(finding),
      rule,
      waiver: waiverId,
      until: until.toISOString(),
    })),
    waived_total: waived.length,
    warned_total: warned.length,
  };
}

function matchedOf({ finding, rule, misses }: MatchedFinding) {
  const waivers = misses.slice(0, MOST_WAIVERS).map(({ waiverId, miss }) => ({
    waiver: waiverId,
    miss,
  }));
  return { ...findingOf(finding), rule, waivers };
}

function findingOf({ id, severity, package: name, installedVersion, fixedVersion }: Finding) {
  return {
    vulnerability: id,
    severity,
    package: name,
    installed_version: installedVersion,
    fixed_version: fixedVersion,
  };
}

const MOST_NAMED = 3;

/** One line without line breaks, because clients print it behind `denied:`. */
export function refusalLine(code: RefusalCode, { judged }: Pick<DecidedPull, 'judged'>): string {
  return oneLine(`blocked by policy "${judged.policy.name}": ${reasonOf(code, judged.subject)}`);
}

function reasonOf(code: RefusalCode, subject: JudgedSubject): string {
  const blocking = subject.kind === 'image' ? (subject.standing?.blocking ?? []) : [];
  return {
    VULN_BLOCKED: () => vulnerabilities(blocking),
    SCAN_REQUIRED: () => 'the scanner could not cover all of the image',
    SCAN_FAILED: () => 'the scan of the image failed',
    DATABASE_TOO_OLD: () => 'the vulnerability database behind its report is too old',
    ARTIFACT_BLOCKED: () => 'artifacts that are no container images are not allowed',
  }[code]();
}

function vulnerabilities(blocking: readonly MatchedFinding[]): string {
  const findings = blocking.map(({ finding }) => finding);
  const named = findings.slice(0, MOST_NAMED).map(nameOf);
  const more = findings.length > MOST_NAMED ? '; …' : '';
  return `${counted(findings)} (${named.join('; ')}${more})`;
}

function nameOf({ id, package: name, installedVersion, fixedVersion }: Finding): string {
  const fix = fixedVersion === null ? 'no fix yet' : `fixed in ${fixedVersion}`;
  return `${id} in ${name} ${installedVersion}, ${fix}`;
}

function counted(findings: readonly Finding[]): string {
  const count = (severity: Severity) =>
    findings.filter((finding) => finding.severity === severity).length;
  return SEVERITIES.filter((severity) => count(severity) > 0)
    .map((severity) => `${count(severity)} ${severity.toLowerCase()}`)
    .join(', ');
}

/** Package names and versions come from the image. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 1_000);
}
