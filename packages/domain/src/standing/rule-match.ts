/**
 * Whether a finding matches a rule of a policy. A term whose value is unknown matches: no
 * publication date, no package type, a feed that is missing or too old.
 */
import { SEVERITIES } from '../policy/vulnerability.ts';
import type { PolicyRule } from './policy.ts';
import type { Finding } from './report-facts.ts';

const DAY_MS = 86_400_000;

/** What is known beyond the report when a finding is judged. Null: a feed that can't be used. */
export interface MatchContext {
  kev: { has(vulnerability: string): boolean } | null;
  epss: { score(vulnerability: string): number | null } | null;
  now: Date;
}

export function matchesRule(rule: PolicyRule, finding: Finding, context: MatchContext): boolean {
  return (
    rule.severities.includes(finding.severity) &&
    (rule.fixable === 'any' || finding.fixedVersion !== null) &&
    matchesType(rule, finding) &&
    matchesKev(rule, finding, context) &&
    matchesEpss(rule, finding, context) &&
    ageMatchesAt(rule, finding) <= context.now.getTime()
  );
}

function matchesType({ packageTypes }: PolicyRule, { packageType }: Finding): boolean {
  return packageTypes === 'all' || packageType === null || packageType === packageTypes;
}

function matchesKev({ kev: wanted }: PolicyRule, { id }: Finding, { kev }: MatchContext): boolean {
  return wanted === 'any' || kev === null || kev.has(id);
}

/** A vulnerability without a score is new or not a CVE, so its probability is unknown. */
function matchesEpss({ minEpss }: PolicyRule, { id }: Finding, { epss }: MatchContext): boolean {
  if (minEpss === null || epss === null) return true;
  const score = epss.score(id);
  return score === null || score >= minEpss;
}

/** The moment, in milliseconds, from which the finding is old enough for the rule. */
export function ageMatchesAt({ minAgeDays }: PolicyRule, { publishedAt }: Finding): number {
  if (minAgeDays === null) return Number.NEGATIVE_INFINITY;
  const published = Date.parse(publishedAt ?? '');
  return Number.isNaN(published) ? Number.NEGATIVE_INFINITY : published + minAgeDays * DAY_MS;
}

/** Most severe first. */
export function bySeverity(one: Finding, other: Finding): number {
  return SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
}
