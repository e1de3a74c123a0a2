/**
 * A decision with every step that led to it, in the form that replies, audit events and commands
 * share.
 */
import { createHash } from 'node:crypto';
import type {
  Finding,
  MatchedFinding,
  Policy,
  PolicyRule,
  PullDecision,
  RefusalCode,
  Standing,
} from '@portcullis/domain';
import type { DecidedPull } from './manifest-decision.ts';

/** An audit event holds as many; the totals count all. */
const MOST_FINDINGS = 10;
const MOST_PLATFORMS = 20;
const MOST_WAIVERS = 5;

export type ExplainedDecision = ReturnType<typeof explain>;

/** `isAllowed`: whether the account may use the door at all; a door checks it before. */
export function explain(decided: DecidedPull, { isAllowed = true } = {}) {
  const { door, mode, bypasses, judged, children } = decided;
  const { image, policy, subject, record, report } = judged;
  const standing = subject.kind === 'image' ? subject.standing : null;
  return {
    ...(isAllowed ? outcomeOf(decided) : FORBIDDEN),
    door,
    mode,
    bypasses,
    requested_digest: decided.requested,
    digest: image.digest,
    folder: image.folder,
    repository: image.repository,
    kind: subject.kind,
    ...explainStanding(standing, policy),
    report: report && {
      scanner: report.scanner.name,
      scanner_version: report.scanner.version,
      scanned_at: report.scannedAt.toISOString(),
      database_at: subject.kind === 'image' ? subject.databaseAt : null,
    },
    last_scan_failed: subject.kind === 'image' && subject.lastScanFailed,
    passed_at: record?.passedAt?.toISOString() ?? null,
    blocked_at: record?.blockedAt?.toISOString() ?? null,
    platforms: children.slice(0, MOST_PLATFORMS).map((child) => ({
      platform: child.platform,
      digest: child.requested,
      ...outcomeOf(child),
    })),
  };
}

/** Without a standing, the policy that would judge. */
export function explainStanding(standing: Standing | null, policy: Policy) {
  const findings = findingsOf(standing);
  return {
    policy: policyOf(policy, findings),
    verdict: standing?.verdict ?? null,
    ...findings,
    missing_feeds: standing?.missingFeeds ?? [],
  };
}

interface Outcome {
  outcome: 'served' | 'held' | 'refused';
  because: Extract<PullDecision, { serve: true }>['because'] | null;
  code: RefusalCode | 'PENDING' | 'FOLDER_FORBIDDEN' | null;
  until: string | null;
}

function outcomeOf({ decision }: Pick<DecidedPull, 'decision'>): Outcome {
  return {
    outcome: outcomeWord(decision),
    because: decision.serve === true ? decision.because : null,
    code: 'code' in decision ? decision.code : decision.serve === null ? 'PENDING' : null,
    until: 'until' in decision ? decision.until.toISOString() : null,
  };
}

const FORBIDDEN: Outcome = {
  outcome: 'refused',
  because: null,
  code: 'FOLDER_FORBIDDEN',
  until: null,
};

/** With the rules that the listed findings match. */
function policyOf(
  { id, name, version, rules, graceDays }: Policy,
  { blocking, waived }: Pick<ReturnType<typeof findingsOf>, 'blocking' | 'waived'>,
) {
  const matched = new Set([...blocking, ...waived].map(({ rule }) => rule));
  return {
    id,
    name,
    version: id === null ? hashOf(version) : version,
    grace_days: graceDays,
    rules: rules.flatMap((rule, at) => (matched.has(at) ? [ruleOf(rule, at)] : [])),
  };
}

/** The version of the default policy is the text of the settings it is made from. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function ruleOf(rule: PolicyRule, position: number) {
  return {
    position,
    severities: rule.severities,
    fixable: rule.fixable,
    kev: rule.kev,
    min_epss: rule.minEpss,
    min_age_days: rule.minAgeDays,
    package_types: rule.packageTypes,
    action: rule.action,
  };
}

export function outcomeWord({ serve }: PullDecision): Outcome['outcome'] {
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
