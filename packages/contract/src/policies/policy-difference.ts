/** What a change of a policy changes, for its audit event. */

import type { PolicyRule, PolicyTerms } from '../operations/policies.ts';
import { changedValues } from './changed-values.ts';

interface NumberedRule extends PolicyRule {
  /** Its position, from 0. */
  at: number;
}

/** Terms that changed, with both values. Rules that only moved are in neither list. */
export function policyDifference(before: PolicyTerms, after: PolicyTerms): Record<string, unknown> {
  const { rules: old, ...from } = before;
  const { rules, ...to } = after;
  const removed = without(old, rules);
  const added = without(rules, old);
  return {
    ...(removed.length > 0 && { rules_removed: removed }),
    ...(added.length > 0 && { rules_added: added }),
    ...changedValues(from, to),
  };
}

/** A rule that is repeated counts once. */
function without(rules: readonly PolicyRule[], others: readonly PolicyRule[]): NumberedRule[] {
  const known = new Set(others.map(keyOf));
  return rules.flatMap((rule, at) => (known.has(keyOf(rule)) ? [] : [{ at, ...rule }]));
}

/** The same for rules that match the same findings. */
function keyOf({ severities, ...terms }: PolicyRule): string {
  return JSON.stringify([severities.toSorted(), ...Object.entries(terms).toSorted()]);
}
