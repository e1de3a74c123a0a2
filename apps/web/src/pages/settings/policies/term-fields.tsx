/** The terms of a policy that are about images as a whole. */
import { NumberInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choice-select.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import classes from './policies.module.css';
import type { PolicyDraft } from './policy-draft.ts';

export function TermFields({ pick, amount, number }: Fields<PolicyDraft>) {
  const t = useMessages('policies');
  const days = { placeholder: t.anyValue, suffix: ` ${t.days}` };
  return (
    <div className={classes.choices}>
      <Term label={t.unscannable}>
        {(id) => <ChoiceSelect id={id} names={t.blockOrAllow} {...pick('unscannable')} />}
      </Term>
      <Term label={t.onError}>
        {(id) => <ChoiceSelect id={id} names={t.blockOrAllow} {...pick('on_error')} />}
      </Term>
      <Term label={t.artifacts}>
        {(id) => <ChoiceSelect id={id} names={t.blockOrAllow} {...pick('artifacts')} />}
      </Term>
      <Term label={t.thirdParty}>
        {(id) => <ChoiceSelect id={id} names={t.thirdParties} {...pick('third_party')} />}
      </Term>
      <Term label={t.databaseAge}>
        {(id) => <NumberInput id={id} {...days} {...amount('max_database_age_days')} />}
      </Term>
      <Term label={t.grace} hint={t.graceHint}>
        {(id) => <NumberInput id={id} {...days} {...number('grace_days')} />}
      </Term>
    </div>
  );
}

interface TermProps {
  label: string;
  hint?: string;
  children(id: string): ReactNode;
}

function Term({ label, hint, children }: TermProps) {
  const id = useId();
  return (
    <>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && <div className={classes.hint}>{hint}</div>}
      </div>
      {children(id)}
    </>
  );
}
