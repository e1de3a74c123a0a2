/**
 * Trust in the identity tokens of CI systems and clusters (OpenID Connect): which claims become
 * which robot. The signature, the issuer, the audience and the times are verified elsewhere.
 */
import { matchesPath } from '../location/path-pattern.ts';

/** For each claim the patterns of which its value has to match one. */
export type TrustConditions = Readonly<Record<string, readonly string[]>>;

export interface TrustRule {
  audience: string;
  conditions: TrustConditions;
  enabled: boolean;
}

export type IdentityClaims = Readonly<Record<string, unknown>>;

/** What a claim of a token has, compared with its condition. */
export interface ComparedClaim {
  claim: string;
  patterns: readonly string[];
  /** Null: the token has no such claim, or one that is no plain value or list of these. */
  found: string | null;
  matches: boolean;
}

export function compareClaims(
  conditions: TrustConditions,
  claims: IdentityClaims,
): ComparedClaim[] {
  return Object.entries(conditions).map(([claim, patterns]) => {
    const values = valuesOf(claims, claim);
    return {
      claim,
      patterns,
      found: values.length > 0 ? values.join(', ') : null,
      matches: values.some((value) => patterns.some((pattern) => matchesPath(pattern, value))),
    };
  });
}

/** A rule without conditions matches no token. */
export function accepts(
  { audience, conditions, enabled }: TrustRule,
  claims: IdentityClaims,
): boolean {
  if (!enabled || !audiencesOf(claims).includes(audience)) return false;
  const compared = compareClaims(conditions, claims);
  return compared.length > 0 && compared.every(({ matches }) => matches);
}

/** RFC 7519 § 4.1.3: one text or a list. */
export function audiencesOf(claims: IdentityClaims): string[] {
  return valuesOf(claims, 'aud');
}

function valuesOf(claims: IdentityClaims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const values = Array.isArray(value) ? value : [value];
  return values.filter(isScalar).map(String);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Claims whose value names one owner or project: GitHub's, GitLab's and the standard subject. */
const PATH_CLAIMS: ReadonlySet<string> = new Set(['repository', 'project_path', 'namespace_path']);
const EXACT_CLAIMS: ReadonlySet<string> = new Set([
  'repository_id',
  'repository_owner',
  'repository_owner_id',
  'project_id',
  'namespace_id',
]);

/**
 * Whether the conditions match tokens of one owner only. Any account of a public issuer can get a
 * token for any audience, on any branch: without such a condition the rule would match them all.
 */
export function namesAnOwner(conditions: TrustConditions): boolean {
  return Object.entries(conditions).some(
    ([claim, patterns]) =>
      patterns.length > 0 && patterns.every((pattern) => isOwned(claim, pattern)),
  );
}

function isOwned(claim: string, pattern: string): boolean {
  const [fixed = ''] = pattern.split('*', 1);
  if (EXACT_CLAIMS.has(claim)) return fixed === pattern;
  if (claim === 'namespace_path') return fixed === pattern || /^[^/]+\//.test(fixed);
  if (PATH_CLAIMS.has(claim)) return /^[^/]+\//.test(fixed);
  if (claim !== 'sub') return false;
  return fixed === pattern ? !SHARED_SUBJECT.test(pattern) : OWNED_SUBJECT.test(fixed);
}

/** What comes before the first wildcard has to include the owner. */
const OWNED_SUBJECT =
  /^(?:(?:repo|project_path):[^:/]+\/|repository_owner:[^:/]+:|system:serviceaccount:[^:/]+:)/;
/** GitHub lets each customer choose such subjects: the same in repositories of several owners. */
const SHARED_SUBJECT =
  /^(?:actor|base_ref|context|environment|event_name|head_ref|job_workflow_ref|ref|workflow)[:_]/;

/** The longest validity of a robot's token that is issued for an identity token. */
export const MOST_TRUST_MINUTES = 15;
/** Identity tokens that were issued longer ago are refused, however long they are valid. */
export const MOST_IDENTITY_MINUTES = 60;
