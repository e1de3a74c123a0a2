/** The terms of a policy as the form has them, and the changes that its buttons make. */
import type {
  NewPolicy,
  Policy,
  PolicyRule,
  PolicyTerms,
  SignatureRequirement,
} from '@portcullis/contract';
import type { RequirementMatch } from '@portcullis/domain';

export interface PolicyDraft extends PolicyTerms {
  name: string;
}

const TERMS = [
  'rules',
  'unscannable',
  'on_error',
  'artifacts',
  'third_party',
  'max_database_age_days',
  'grace_days',
  'min_age_hours',
  'unless_fixes',
  'signatures',
] as const satisfies readonly (keyof PolicyTerms)[];

export function termsOf(from: PolicyTerms): PolicyTerms {
  const { rules, unscannable, on_error, artifacts, third_party, max_database_age_days } = from;
  const { grace_days, min_age_hours, unless_fixes, signatures } = from;
  return {
    ...{ rules, unscannable, on_error, artifacts, third_party },
    ...{ max_database_age_days, grace_days, min_age_hours, unless_fixes, signatures },
  };
}

export function draftOf(policy: Pick<Policy, 'name' | keyof PolicyTerms>): PolicyDraft {
  return { name: policy.name, ...termsOf(policy) };
}

export const NEW_RULE: PolicyRule = {
  severities: ['CRITICAL'],
  fixable: 'any',
  kev: 'any',
  min_epss: null,
  min_age_days: null,
  package_types: 'all',
  action: 'block',
};

export const NEW_REQUIREMENT: SignatureRequirement = {
  images: '**',
  any_of: [],
  all_of: null,
  attestation: null,
};

export function matchOf({ any_of }: SignatureRequirement): RequirementMatch {
  return any_of === null ? 'all_of' : 'any_of';
}

export function authoritiesOf({ any_of, all_of }: SignatureRequirement): string[] {
  return any_of ?? all_of ?? [];
}

export function withAuthorities(
  { images, attestation }: SignatureRequirement,
  match: RequirementMatch,
  authorities: string[],
): SignatureRequirement {
  return { images, any_of: null, all_of: null, [match]: authorities, attestation };
}

/** A copy of the default policy, for a new one. */
export function copyOf(policy: PolicyTerms, name: string): NewPolicy {
  return { name, ...termsOf(policy) };
}

export function withRule(
  rules: readonly PolicyRule[],
  at: number,
  change: Partial<PolicyRule>,
): PolicyRule[] {
  return rules.map((rule, position) => (position === at ? { ...rule, ...change } : rule));
}

export function withoutRule(rules: readonly PolicyRule[], at: number): PolicyRule[] {
  return rules.filter((_, position) => position !== at);
}

export type TermName = (typeof TERMS)[number];

/** The terms that differ, in the order of the form. */
export function changedTerms(one: PolicyTerms, other: PolicyTerms): TermName[] {
  return TERMS.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

export function hasSameTerms(one: PolicyTerms, other: PolicyTerms): boolean {
  return changedTerms(one, other).length === 0;
}

/** The feeds that a rule reads. */
export function feedsIn(rules: readonly PolicyRule[]): { kev: boolean; epss: boolean } {
  return {
    kev: rules.some(({ kev }) => kev === 'only'),
    epss: rules.some(({ min_epss }) => min_epss !== null),
  };
}
