import { describe, expect, it } from 'vitest';
import type { PolicyRule, PolicyTerms } from '../operations/policies.ts';
import { policyDifference } from './policy-difference.ts';

function rule(change: Partial<PolicyRule> = {}): PolicyRule {
  return {
    severities: ['CRITICAL', 'HIGH'],
    fixable: 'any',
    kev: 'any',
    min_epss: null,
    min_age_days: null,
    package_types: 'all',
    action: 'block',
    ...change,
  };
}

const CRITICAL = rule({ severities: ['CRITICAL'] });
const KEV = rule({ kev: 'only' });
const BEFORE: PolicyTerms = {
  rules: [CRITICAL, KEV],
  unscannable: 'block',
  on_error: 'block',
  artifacts: 'allow',
  third_party: 'partial',
  max_database_age_days: null,
  grace_days: 7,
  min_age_hours: 0,
  unless_fixes: 'none',
  signatures: [],
};

const SIGNED = { images: '**', any_of: ['release'], all_of: null, attestation: null };

describe('the difference of two policies', () => {
  it.each<[string, Partial<PolicyTerms>, object]>([
    ['is empty for the same terms', {}, {}],
    ['is empty for rules in another order', { rules: [KEV, CRITICAL] }, {}],
    ['is empty for a rule that is repeated', { rules: [CRITICAL, KEV, CRITICAL] }, {}],
    [
      'is empty for severities in another order',
      { rules: [CRITICAL, rule({ kev: 'only', severities: ['HIGH', 'CRITICAL'] })] },
      {},
    ],
    [
      'names a rule that is added, with its position',
      { rules: [CRITICAL, KEV, rule({ min_epss: 0.5 })] },
      { rules_added: [{ at: 2, ...rule({ min_epss: 0.5 }) }] },
    ],
    ['names a rule that is removed', { rules: [KEV] }, { rules_removed: [{ at: 0, ...CRITICAL }] }],
    [
      'shows a changed rule as removed and added',
      { rules: [CRITICAL, { ...KEV, action: 'warn' }] },
      { rules_removed: [{ at: 1, ...KEV }], rules_added: [{ at: 1, ...KEV, action: 'warn' }] },
    ],
    [
      'has the values of a term before and after',
      { grace_days: 0, max_database_age_days: 3 },
      { grace_days: { from: 7, to: 0 }, max_database_age_days: { from: null, to: 3 } },
    ],
    [
      'has what it asks of signatures before and after',
      { signatures: [SIGNED] },
      { signatures: { from: [], to: [SIGNED] } },
    ],
  ])('%s', (_, change, expected) => {
    expect(policyDifference(BEFORE, { ...BEFORE, ...change })).toEqual(expected);
  });
});
