/** Policies, findings and waivers for tests; each has one rule or one term unless it is changed. */
import { DEFAULT_POLICY } from '../settings/settings.ts';
import type { Waiver } from '../waivers/waiver.ts';
import { defaultPolicy, type Policy, type PolicyRule } from './policy.ts';
import type { Finding, ReportFacts } from './report-facts.ts';
import { type Standing, type StandingInput, standingOf } from './standing.ts';

export const NOW = new Date('2026-11-22T12:00:00Z');

export function daysLater(days: number): Date {
  return new Date(NOW.getTime() + days * 86_400_000);
}

export function ruleFixture(change: Partial<PolicyRule> = {}): PolicyRule {
  return {
    severities: ['CRITICAL', 'HIGH'],
    fixable: 'any',
    kev: 'any',
    minEpss: null,
    minAgeDays: null,
    packageTypes: 'all',
    action: 'block',
    ...change,
  };
}

export function policyFixture(change: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy(DEFAULT_POLICY), ...change };
}

export function findingFixture(change: Partial<Finding> = {}): Finding {
  return {
    id: 'CVE-2026-1',
    severity: 'HIGH',
    package: 'openssl',
    installedVersion: '3.0.1',
    fixedVersion: '3.0.2',
    packageType: 'os',
    publishedAt: '2026-11-01T00:00:00Z',
    ...change,
  };
}

export function factsFixture(findings: Finding[], change: Partial<ReportFacts> = {}): ReportFacts {
  const covered = { coverage: 'full' as const, lacksThirdPartyAlone: false, artifactType: null };
  return { ...covered, findings, databaseAt: '2026-11-22T06:00:00Z', ...change };
}

export function waiverFixture(change: Partial<Waiver> = {}): Waiver {
  return {
    id: 'w1',
    vulnerability: 'CVE-2026-1',
    package: null,
    packageVersion: null,
    repository: null,
    digest: null,
    folder: null,
    status: 'accepted',
    justification: null,
    reason: 'not reachable',
    ticket: null,
    state: 'approved',
    requestedById: 'u1',
    approvals: [],
    createdAt: NOW,
    expiresAt: daysLater(1),
    ...change,
  };
}

/** Where no policy asks for signatures. */
export const UNASKED = { signatures: null, authorities: new Map<string, { version: number }>() };

export const IMAGE = { digest: 'sha256:a', repository: 'team/app', folder: 'team' };

export function standingFixture(
  findings: Finding[],
  change: Partial<Omit<StandingInput, 'facts'>> & { facts?: Partial<ReportFacts> } = {},
): Standing {
  const { facts, ...rest } = change;
  return standingOf({
    policy: policyFixture(),
    waivers: [],
    feeds: { kev: null, epss: null },
    image: IMAGE,
    sightedAt: null,
    ...UNASKED,
    now: NOW,
    ...rest,
    facts: factsFixture(findings, facts),
  });
}
