/** A rule of a policy as one sentence. */
import type { PolicyRule } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { useContext } from 'react';
import { LanguageContext, useMessages, useWords } from '../../../i18n/messages.ts';

export function useRuleSentence(): (rule: PolicyRule) => string {
  const [t, format] = useWords('policies');
  const { severity } = useMessages('verdict');
  const either = new Intl.ListFormat(useContext(LanguageContext), { type: 'disjunction' });
  return (rule) => {
    const isAny = rule.severities.length === SEVERITIES.length;
    const which = isAny
      ? t.anySeverity
      : t.ofSeverity(either.format(rule.severities.map((each) => severity[each])));
    const terms = [
      rule.fixable === 'only' && t.terms.fixable,
      rule.kev === 'only' && t.terms.kev,
      rule.min_epss !== null && t.terms.epss(format.percent(rule.min_epss)),
      rule.min_age_days !== null && t.terms.age(rule.min_age_days),
      rule.package_types !== 'all' && t.terms.packages[rule.package_types],
    ].filter((term) => term !== false);
    return t.sentence[rule.action]([which, ...terms].join(', '));
  };
}
