/** The terms of a policy in requests and replies. */
import type { PolicyRules } from '@portcullis/domain';
import { PolicyTerms } from '../operations/policies.ts';
import { fromWire, toWire } from '../wire.ts';

export function policyTerms(rules: PolicyRules): PolicyTerms {
  return toWire(PolicyTerms, rules);
}

export function policyRules(terms: PolicyTerms): PolicyRules {
  return fromWire(PolicyTerms, terms);
}
