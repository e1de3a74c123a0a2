/** The terms of a policy that are about images as a whole. */
import { NumberInput } from '@mantine/core';
import { MOST_DATABASE_AGE_DAYS, MOST_GRACE_DAYS } from '@portcullis/domain';
import { useId } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choice-select.tsx';
import classes from './policies.module.css';
import type { PolicyDraft } from './policy-draft.ts';

interface TermFieldsProps {
  value: PolicyDraft;
  set(change: Partial<PolicyDraft>): void;
  faults: Readonly<Record<string, string>>;
}

export function TermFields({ value, set, faults }: TermFieldsProps) {
  const t = useMessages('policies');
  return (
    <div className={classes.choices}>
      <Term
        label={t.unscannable}
        names={t.blockOrAllow}
        value={value.unscannable}
        onChange={(unscannable) => set({ unscannable })}
      />
      <Term
        label={t.onError}
        names={t.blockOrAllow}
        value={value.on_error}
        onChange={(chosen) => set({ on_error: chosen })}
      />
      <Term
        label={t.artifacts}
        names={t.blockOrAllow}
        value={value.artifacts}
        onChange={(artifacts) => set({ artifacts })}
      />
      <Term
        label={t.thirdParty}
        names={t.thirdParties}
        value={value.third_party}
        onChange={(chosen) => set({ third_party: chosen })}
      />
      <Days
        label={t.databaseAge}
        value={value.max_database_age_days}
        range={[1, MOST_DATABASE_AGE_DAYS]}
        fault={faults.max_database_age_days}
        onChange={(days) => set({ max_database_age_days: days })}
      />
      <Days
        label={t.grace}
        hint={t.graceHint}
        value={value.grace_days}
        range={[0, MOST_GRACE_DAYS]}
        fault={faults.grace_days}
        onChange={(days) => set({ grace_days: days ?? 0 })}
      />
    </div>
  );
}

interface TermProps<T extends string> {
  label: string;
  names: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
}

function Term<T extends string>({ label, names, value, onChange }: TermProps<T>) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <ChoiceSelect id={id} names={names} value={value} onChange={onChange} />
    </>
  );
}

interface DaysProps {
  label: string;
  hint?: string;
  value: number | null;
  range: readonly [number, number];
  fault: string | undefined;
  onChange(days: number | null): void;
}

function Days({ label, hint, value, range: [min, max], fault, onChange }: DaysProps) {
  const t = useMessages('policies');
  const id = useId();
  return (
    <>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && <div className={classes.hint}>{hint}</div>}
      </div>
      <NumberInput
        id={id}
        min={min}
        max={max}
        allowDecimal={false}
        placeholder={t.anyValue}
        suffix={` ${t.days}`}
        value={value ?? ''}
        error={fault}
        onChange={(days) => onChange(days === '' ? null : Number(days))}
      />
    </>
  );
}
