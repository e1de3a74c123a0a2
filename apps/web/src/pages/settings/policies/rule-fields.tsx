/** The terms of one rule, under its sentence. */
import { CloseButton, Group, NumberInput, Stack, Switch, Text } from '@mantine/core';
import type { PolicyRule } from '@portcullis/contract';
import { MOST_FINDING_AGE_DAYS } from '@portcullis/domain';
import { useId } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import { SeveritiesField } from '../../../kit/verdict/severities-field.tsx';
import classes from './policies.module.css';
import { useRuleSentence } from './rule-sentence.ts';

interface RuleFieldsProps {
  /** Its position in the policy, from 0. */
  at: number;
  rule: PolicyRule;
  faultOf(name: string): string | undefined;
  onChange(change: Partial<PolicyRule>): void;
  onRemove(): void;
}

export function RuleFields({ at, rule, faultOf, onChange, onRemove }: RuleFieldsProps) {
  const [t, format] = useWords('policies');
  const sentence = useRuleSentence();
  const title = useId();
  const number = format.number(at + 1);
  return (
    <section className={classes.rule} aria-labelledby={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={550} id={title}>
          <Text span c="dimmed">
            {number}.
          </Text>{' '}
          {sentence(rule)}
        </Text>
        <CloseButton aria-label={t.removeRule(number)} onClick={onRemove} />
      </Group>
      <Stack gap="sm" mt="xs">
        <SeveritiesField
          label={t.severities}
          error={faultOf('severities')}
          value={rule.severities}
          onChange={(severities) => onChange({ severities })}
        />
        <Terms rule={rule} faultOf={faultOf} onChange={onChange} />
      </Stack>
    </section>
  );
}

type TermsProps = Pick<RuleFieldsProps, 'rule' | 'faultOf' | 'onChange'>;

function Terms({ rule, faultOf, onChange }: TermsProps) {
  const t = useMessages('policies');
  return (
    <>
      <div className={classes.fields}>
        <ChoiceSelect
          label={t.action}
          names={t.actions}
          value={rule.action}
          onChange={(action) => onChange({ action })}
        />
        <ChoiceSelect
          label={t.fix}
          names={t.fixes}
          value={rule.fixable}
          onChange={(fixable) => onChange({ fixable })}
        />
        <ChoiceSelect
          label={t.packages}
          names={t.packageTypes}
          value={rule.package_types}
          onChange={(types) => onChange({ package_types: types })}
        />
        <NumberInput
          label={t.epss}
          placeholder={t.anyValue}
          min={0}
          max={100}
          decimalScale={2}
          suffix=" %"
          value={rule.min_epss === null ? '' : toPercent(rule.min_epss)}
          error={faultOf('min_epss')}
          onChange={(percent) => onChange({ min_epss: percent === '' ? null : +percent / 100 })}
        />
        <NumberInput
          label={t.age}
          placeholder={t.anyValue}
          min={0}
          max={MOST_FINDING_AGE_DAYS}
          allowDecimal={false}
          suffix={` ${t.daysAgo}`}
          value={rule.min_age_days ?? ''}
          error={faultOf('min_age_days')}
          onChange={(days) => onChange({ min_age_days: days === '' ? null : Number(days) })}
        />
      </div>
      <Switch
        label={t.exploited}
        checked={rule.kev === 'only'}
        onChange={(event) => onChange({ kev: event.currentTarget.checked ? 'only' : 'any' })}
      />
    </>
  );
}

/** Without the digits that a division by 100 leaves. */
function toPercent(share: number): number {
  return Number((share * 100).toFixed(4));
}
