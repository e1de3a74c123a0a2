/**
 * A decision with every step that led to it, in the form that replies, audit events and commands
 * share.
 */
import { createHash } from 'node:crypto';
import {
  ALLOWED,
  type AuthorityAnswer,
  byVulnerability,
  type Decision,
  type ImageSignatures,
  type JudgedVulnerability,
  type MatchedFinding,
  otherPackages,
  type Policy,
  type PolicyRule,
  type PullDecision,
  type RefusalCode,
  type Standing,
  totalsOf,
  type WaivedFinding,
} from '@portcullis/domain';
import type { DecidedPull } from './manifest-decision.ts';

/** An audit event holds as many vulnerabilities; the totals count all. */
const MOST_FINDINGS = 10;
const MOST_PLATFORMS = 20;
const MOST_WAIVERS = 5;
const MOST_PACKAGES = 5;

export type ExplainedDecision = ReturnType<typeof explain>;

/** `access`: whether the account may use the door at all; a door checks it before. */
export function explain(decided: DecidedPull, access: Decision = ALLOWED) {
  const { door, mode, bypasses, judged, children } = decided;
  const { image, policy, subject, record, report } = judged;
  const standing = subject.kind === 'image' ? subject.standing : null;
  return {
    ...(access.allowed ? outcomeOf(decided) : forbidden(access)),
    door,
    mode,
    bypasses,
    requested_digest: decided.requested,
    digest: image.digest,
    folder: image.folder,
    repository: image.repository,
    kind: subject.kind,
    ...explainStanding(standing, policy, subject.kind === 'image' ? subject : NOT_ASKED),
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

/** What an artifact has: neither its age nor its signatures matter. */
const NOT_ASKED: Beside = {
  waitsUntil: null,
  signed: {
    ...{ requirements: [], unreadSignatures: 0, hasHiddenSignatures: false },
    ...{ unsigned: null, signatureWaiver: null, signaturesUntil: null },
  },
};

interface Beside {
  waitsUntil: Date | null;
  signed: ImageSignatures;
}

/** Without a standing, the policy that would judge. */
export function explainStanding(
  standing: Standing | null,
  policy: Policy,
  { waitsUntil, signed }: Beside,
) {
  const findings = findingsOf(standing);
  return {
    policy: policyOf(policy, findings),
    verdict: standing?.verdict ?? null,
    ...findings,
    missing_feeds: standing?.missingFeeds ?? [],
    waits_until: waitsUntil?.toISOString() ?? null,
    age_waiver: waiverOf(standing?.ageWaiver ?? null),
    signatures: signed.requirements.map(requirementOf),
    unread_signatures: signed.unreadSignatures,
    hidden_signatures: signed.hasHiddenSignatures,
    signature_waiver: waiverOf(signed.signatureWaiver),
  };
}

function waiverOf(waiver: ImageSignatures['signatureWaiver']) {
  return waiver && { waiver: waiver.waiverId, until: waiver.until.toISOString() };
}

function requirementOf({
  requirement,
  images,
  match,
  authorities,
  attestation,
  code,
  answers,
}: ImageSignatures['requirements'][number]) {
  const named = { any_of: null, all_of: null, [match]: authorities };
  return { requirement, images, ...named, attestation, code, answers: answers.map(answerOf) };
}

function answerOf({ authority, state, signed, uncounted, uncountedTotal }: AuthorityAnswer) {
  return {
    authority,
    state,
    signed: signed.map(({ at, until, timeSource, ...each }) => ({
      ...each,
      at: at?.toISOString() ?? null,
      until: until?.toISOString() ?? null,
      time_source: timeSource,
    })),
    uncounted,
    uncounted_total: uncountedTotal,
  };
}

interface Outcome {
  outcome: 'served' | 'held' | 'refused';
  because: Extract<PullDecision, { serve: true }>['because'] | null;
  code: RefusalCode | 'PENDING' | 'FOLDER_FORBIDDEN' | 'MIRROR_READ_ONLY' | null;
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

function forbidden({ code: by }: Extract<Decision, { allowed: false }>): Outcome {
  const code = by === 'MIRROR_READ_ONLY' ? by : 'FOLDER_FORBIDDEN';
  return { outcome: 'refused', because: null, code, until: null };
}

/** With the rules that the listed findings match. */
function policyOf(
  { id, name, version, rules, graceDays, minAgeHours }: Policy,
  { blocking, waived }: Pick<ReturnType<typeof findingsOf>, 'blocking' | 'waived'>,
) {
  const matched = new Set([...blocking, ...waived].map(({ rule }) => rule));
  return {
    id,
    name,
    version: id === null ? hashOf(version) : version,
    grace_days: graceDays,
    min_age_hours: minAgeHours,
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

/** One entry for each vulnerability, because the totals count vulnerabilities. */
function findingsOf(standing: Standing | null) {
  const { blocking = [], waived = [], warned = [] } = standing ?? {};
  const totals = totalsOf({ blocking, waived, warned });
  const blocks = byVulnerability(blocking);
  const strict = new Set(blocks.map(({ id }) => id));
  const accepted = byVulnerability(waived).filter(({ id }) => !strict.has(id));
  return {
    blocking: blocks.slice(0, MOST_FINDINGS).map(matchedOf),
    blocking_total: totals.blocking,
    waived: accepted.slice(0, MOST_FINDINGS).map((found) => ({
      ...findingOf(found),
      waiver: firstToEnd(found.all).waiverId,
      until: firstToEnd(found.all).until.toISOString(),
    })),
    waived_total: totals.waived,
    warned_total: totals.warned,
  };
}

/** @param waived not empty */
function firstToEnd(waived: readonly WaivedFinding[]): WaivedFinding {
  return waived.reduce((first, each) => (each.until < first.until ? each : first));
}

function matchedOf(found: JudgedVulnerability<MatchedFinding>) {
  const misses = new Map(
    found.all.flatMap((each) => each.misses).map((miss) => [miss.waiverId, miss]),
  );
  const waivers = [...misses.values()].slice(0, MOST_WAIVERS).map(({ waiverId, miss }) => ({
    waiver: waiverId,
    miss,
  }));
  return { ...findingOf(found), waivers };
}

function findingOf(found: JudgedVulnerability<MatchedFinding | WaivedFinding>) {
  const { id, severity, first } = found;
  const { package: name, installedVersion, fixedVersion } = first.finding;
  const others = otherPackages(found);
  return {
    vulnerability: id,
    severity,
    package: name,
    installed_version: installedVersion,
    fixed_version: fixedVersion,
    other_packages: others.slice(0, MOST_PACKAGES),
    other_packages_total: others.length,
    rule: first.rule,
  };
}
