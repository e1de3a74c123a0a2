/**
 * Policies: rules that turn the findings of a report into a verdict. The default policy is made
 * from the scan settings; folders and saved registries may use another.
 */
import { blockingSeverities } from '../policy/verdict.ts';
import {
  type PackageType,
  type ScanOverrides,
  type ScanPolicy,
  SEVERITIES,
  type Severity,
  type UnlessFixes,
} from '../policy/vulnerability.ts';
import type { SignatureRequirement } from '../signatures/signature-policy.ts';

/** A finding matches a rule when all terms of the rule match. */
export interface PolicyRule {
  severities: Severity[];
  /** `only`: findings with a fixed version. */
  fixable: 'any' | 'only';
  /** `only`: vulnerabilities in the KEV catalog of CISA. */
  kev: 'any' | 'only';
  /** Lower bound of the EPSS probability, 0 to 1. Null: no bound. */
  minEpss: number | null;
  /** Days since the vulnerability was published. Null: any. */
  minAgeDays: number | null;
  packageTypes: 'all' | PackageType;
  /** `warn` matches are shown and allow the image. */
  action: 'block' | 'warn';
}

/** The part of a policy that an administrator edits. */
export interface PolicyRules {
  rules: PolicyRule[];
  /** Images that the scanner could not cover completely. */
  unscannable: 'block' | 'allow';
  /** Images whose scan failed. */
  onError: 'block' | 'allow';
  /** Manifests that are no container images: charts, signatures, SBOMs. */
  artifacts: 'block' | 'allow';
  /** Whether packages of third parties, without advisories, make the coverage partial. */
  thirdParty: 'partial' | 'accept';
  /** Verdicts that rest on an older database allow nothing. Null: no limit. */
  maxDatabaseAgeDays: number | null;
  /** Days for which an image that passed before is served after it is blocked. */
  graceDays: number;
  /** Hours since this installation first saw a digest, before it passes. 0: none. */
  minAgeHours: number;
  /** What an image has to fix of the one before under its tag, to pass without that wait. */
  unlessFixes: UnlessFixes;
  /** Which signatures images need; an image that none of them is for needs none. */
  signatures: SignatureRequirement[];
}

export interface Policy extends PolicyRules {
  /** Null: the default policy. */
  id: string | null;
  name: string;
  /** Of the default policy, a hash of the settings it is made from. */
  version: string;
}

export const DEFAULT_POLICY_NAME = 'default';
const DEFAULT_GRACE_DAYS = 7;

/** Upper bounds of what an administrator may save. */
export const MOST_RULES = 50;
export const MOST_GRACE_DAYS = 365;
export const MOST_FINDING_AGE_DAYS = 3_650;

/** The policy that the scan settings describe. */
export function defaultPolicy(settings: ScanPolicy): Policy {
  const rules: PolicyRules = {
    rules: [
      {
        severities: blockingSeverities(settings, { vulnScanEnabled: null, vulnSeverities: null }),
        fixable: settings.ignoreUnfixed ? 'only' : 'any',
        kev: 'any',
        minEpss: null,
        minAgeDays: null,
        packageTypes: 'all',
        action: 'block',
      },
    ],
    unscannable: settings.onError,
    onError: settings.onError,
    artifacts: 'allow',
    thirdParty: settings.thirdParty,
    maxDatabaseAgeDays: settings.maxDatabaseAgeDays,
    graceDays: DEFAULT_GRACE_DAYS,
    minAgeHours: settings.minAgeHours,
    unlessFixes: settings.unlessFixes,
    signatures: [],
  };
  return { ...rules, id: null, name: DEFAULT_POLICY_NAME, version: JSON.stringify(rules) };
}

/** The policy for a job whose own severity list replaces those of the blocking rules. */
export function bentBy(policy: Policy, { vulnSeverities }: ScanOverrides): Policy {
  if (vulnSeverities === null) return policy;
  const severities = SEVERITIES.filter((severity) => vulnSeverities.includes(severity));
  return {
    ...policy,
    rules: policy.rules.map((rule) => (rule.action === 'block' ? { ...rule, severities } : rule)),
  };
}

/** Whether the job's own severity list allows what a blocking rule of the policy does not. */
export function isRelaxedBy({ rules }: PolicyRules, { vulnSeverities }: ScanOverrides): boolean {
  if (vulnSeverities === null) return false;
  return rules.some(
    ({ action, severities }) =>
      action === 'block' && severities.some((severity) => !vulnSeverities.includes(severity)),
  );
}

/** Which feeds are read for a policy: those of its rules, and of its exception to the wait. */
export function feedsReadFor(policy: PolicyRules): { kev: boolean; epss: boolean } {
  const { kev, epss } = feedsOf(policy);
  return { kev: kev || policy.unlessFixes === 'kev', epss };
}

/** Which feeds the rules need. */
export function feedsOf({ rules }: PolicyRules): { kev: boolean; epss: boolean } {
  return {
    kev: rules.some(({ kev }) => kev === 'only'),
    epss: rules.some(({ minEpss }) => minEpss !== null),
  };
}
