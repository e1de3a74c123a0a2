/** The terms of a policy in requests and replies. */
import type { PolicyRule, PolicyRules } from '@portcullis/domain';
import type { PolicyRule as PolicyRuleView, PolicyTerms } from '../operations/policies.ts';

export function policyTerms(rules: PolicyRules): PolicyTerms {
  return {
    rules: rules.rules.map(ruleTerms),
    unscannable: rules.unscannable,
    on_error: rules.onError,
    artifacts: rules.artifacts,
    third_party: rules.thirdParty,
    max_database_age_days: rules.maxDatabaseAgeDays,
    grace_days: rules.graceDays,
  };
}

function ruleTerms(rule: PolicyRule): PolicyRuleView {
  return {
    severities: rule.severities,
    fixable: rule.fixable,
    kev: rule.kev,
    min_epss: rule.minEpss,
    min_age_days: rule.minAgeDays,
    package_types: rule.packageTypes,
    action: rule.action,
  };
}

export function policyRules(terms: PolicyTerms): PolicyRules {
  return {
    rules: terms.rules.map(toRule),
    unscannable: terms.unscannable,
    onError: terms.on_error,
    artifacts: terms.artifacts,
    thirdParty: terms.third_party,
    maxDatabaseAgeDays: terms.max_database_age_days,
    graceDays: terms.grace_days,
  };
}

function toRule(rule: PolicyRuleView): PolicyRule {
  return {
    severities: rule.severities,
    fixable: rule.fixable,
    kev: rule.kev,
    minEpss: rule.min_epss,
    minAgeDays: rule.min_age_days,
    packageTypes: rule.package_types,
    action: rule.action,
  };
}
