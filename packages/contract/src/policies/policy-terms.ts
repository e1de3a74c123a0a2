/** The terms of a policy in requests and replies. */
import type { PolicyRules } from '@portcullis/domain';
import { PolicyTerms, type SignatureRequirement } from '../operations/policies.ts';
import { fromWire, toWire } from '../wire.ts';

export function policyTerms(rules: PolicyRules): PolicyTerms {
  return toWire(PolicyTerms, withSignatures(rules));
}

export function policyRules(terms: PolicyTerms): PolicyRules {
  return { ...fromWire(PolicyTerms, terms), signatures: terms.signatures.map(requirementRule) };
}

/** The rules with what they ask of signatures as it is on the wire. */
export function withSignatures<T extends Pick<PolicyRules, 'signatures'>>(
  rules: T,
): Omit<T, 'signatures'> & Pick<PolicyTerms, 'signatures'> {
  return { ...rules, signatures: rules.signatures.map(requirementTerm) };
}

export function requirementTerm({
  images,
  match,
  authorities,
  attestation,
}: PolicyRules['signatures'][number]): SignatureRequirement {
  const none = { any_of: null, all_of: null };
  return { images, ...none, [match]: [...authorities], attestation };
}

export function requirementRule({
  images,
  any_of,
  all_of,
  attestation,
}: SignatureRequirement): PolicyRules['signatures'][number] {
  const match = any_of === null ? 'all_of' : 'any_of';
  return { images, match, authorities: any_of ?? all_of ?? [], attestation };
}
