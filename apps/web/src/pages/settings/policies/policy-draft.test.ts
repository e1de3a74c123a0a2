import type { PolicyTerms } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import {
  authoritiesOf,
  changedTerms,
  copyOf,
  draftOf,
  feedsIn,
  hasSameTerms,
  matchOf,
  NEW_REQUIREMENT,
  NEW_RULE,
  termsOf,
  withAuthorities,
  withoutRule,
  withRule,
} from './policy-draft.ts';

const TERMS: PolicyTerms = {
  ...{ rules: [NEW_RULE], unscannable: 'block', on_error: 'block', artifacts: 'allow' },
  ...{
    third_party: 'partial',
    max_database_age_days: null,
    grace_days: 7,
    min_age_hours: 0,
    unless_fixes: 'none',
    signatures: [],
  },
};

describe('the form of a policy', () => {
  it('has its name and its terms, and nothing that the server keeps', () => {
    const stored = { ...TERMS, name: 'prod', version: 3, id: 'x' };
    expect(draftOf(stored)).toEqual({ ...TERMS, name: 'prod' });
    expect(termsOf(stored)).toEqual(TERMS);
    expect(copyOf(stored, 'other')).toEqual({ ...TERMS, name: 'other' });
  });

  it('changes and removes one rule', () => {
    const rules = [NEW_RULE, { ...NEW_RULE, kev: 'only' as const }];
    expect(withRule(rules, 1, { action: 'warn' })[1]).toMatchObject({
      kev: 'only',
      action: 'warn',
    });
    expect(withRule(rules, 1, { action: 'warn' })[0]).toBe(NEW_RULE);
    expect(withoutRule(rules, 0)).toEqual([rules[1]]);
  });

  it.each([
    ['other rules', { rules: [] }],
    ['another grace period', { grace_days: 0 }],
    ['another limit of the age', { max_database_age_days: 3 }],
  ])('notices %s', (_, change) => {
    expect(hasSameTerms(TERMS, { ...TERMS })).toBe(true);
    expect(hasSameTerms(TERMS, { ...TERMS, ...change })).toBe(false);
    expect(changedTerms(TERMS, { ...TERMS, ...change })).toEqual(Object.keys(change));
  });

  it('has the authorities of a requirement in one of its lists', () => {
    expect([matchOf(NEW_REQUIREMENT), authoritiesOf(NEW_REQUIREMENT)]).toEqual(['any_of', []]);
    const each = withAuthorities(NEW_REQUIREMENT, 'all_of', ['release']);
    expect(each).toEqual({ ...NEW_REQUIREMENT, any_of: null, all_of: ['release'] });
    expect([matchOf(each), authoritiesOf(each)]).toEqual(['all_of', ['release']]);
    expect(changedTerms(TERMS, { ...TERMS, signatures: [each] })).toEqual(['signatures']);
  });

  it('knows which feeds its rules read', () => {
    expect(feedsIn([NEW_RULE])).toEqual({ kev: false, epss: false });
    expect(feedsIn([{ ...NEW_RULE, kev: 'only' }])).toEqual({ kev: true, epss: false });
    expect(feedsIn([{ ...NEW_RULE, min_epss: 0 }])).toEqual({ kev: false, epss: true });
  });
});
