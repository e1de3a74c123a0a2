/**
 * Edits a policy. Changes are made from one version; where another account saved a newer one
 * meanwhile, they are kept on top of it, and saved by a second click.
 */
import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import type { PolicyDetail } from '@portcullis/contract';
import { MOST_RULES } from '@portcullis/domain';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { ask, call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { useDraftForm } from '../../../kit/form/use-draft-form.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { EffectPanel } from './effect-panel.tsx';
import classes from './policies.module.css';
import { draftOf, NEW_RULE, type PolicyDraft, withoutRule, withRule } from './policy-draft.ts';
import { PolicyVersions } from './policy-versions.tsx';
import { RuleFields } from './rule-fields.tsx';
import { SignatureFields } from './signature-fields.tsx';

export function PolicyForm({ policy }: { policy: PolicyDetail }) {
  const t = useMessages('policies');
  const { send, isOvertaken, settle } = useSending(policy);
  const form = useDraftForm(draftOf(policy), {
    operation: 'policies.updatePolicy',
    send,
    saved: t.saved,
  });
  const { value, set, text } = form.fields;
  const conflict = useConflict(policy);
  const discard = () => {
    settle();
    form.bar.onDiscard();
  };
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <Panel title={t.rules} description={t.rulesLead}>
          <Stack>
            <TextInput label={t.name} {...text('name')} required maw={420} />
            <Rules {...form.fields} />
          </Stack>
        </Panel>
        <Panel title={t.rest}>
          <TermFields {...form.fields} />
        </Panel>
        <Panel title={t.signatures} description={t.signaturesLead}>
          <SignatureFields {...form.fields} />
        </Panel>
        <EffectPanel policy={policy} draft={value} />
        <PolicyVersions policy={policy} draft={value} onRestore={set} />
      </Stack>
      <SaveBar
        {...form.bar}
        {...(isOvertaken && { summary: conflict })}
        onDiscard={discard}
        error={isProblem(form.bar.error, 'POLICY_CHANGED') ? null : form.bar.error}
      />
    </form>
  );
}

function Rules({ value: { rules }, set, faultAt }: Fields<PolicyDraft>) {
  const t = useMessages('policies');
  return (
    <>
      {rules.length === 0 && t.noRules}
      {rules.map((rule, at) => (
        <RuleFields
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity, only positions
          key={at}
          at={at}
          rule={rule}
          faultOf={(name) => faultAt(`rules.${at}.${name}`)}
          onChange={(change) => set({ rules: withRule(rules, at, change) })}
          onRemove={() => set({ rules: withoutRule(rules, at) })}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={rules.length >= MOST_RULES}
          onClick={() => set({ rules: [...rules, NEW_RULE] })}
        >
          {t.addRule}
        </Button>
      </div>
    </>
  );
}

/** Who saved the version that overtook the changes. */
function useConflict({ versions, version }: PolicyDetail): string {
  const [t, format] = useWords('policies');
  const newest = versions.find((each) => each.version === version);
  return t.conflict(newest?.saved_by ?? '', format.number(version ?? 0));
}

/** The version that is sent is the one on the screen, so that none is overwritten unseen. */
function useSending({ id, version }: PolicyDetail) {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(version);
  const [isOvertaken, setOvertaken] = useState(false);
  const settle = () => {
    setSeen(version);
    setOvertaken(false);
  };

  async function send(changes: Partial<PolicyDraft>): Promise<void> {
    const params = { policy_id: id ?? '' };
    const detail = ask('policies.getPolicy', { params });
    try {
      const body = { version: seen ?? 1, ...changes };
      const saved = await call('policies.updatePolicy', { params, body });
      setSeen(saved.version);
      setOvertaken(false);
    } catch (error) {
      if (isProblem(error, 'POLICY_CHANGED')) {
        const current = await queries.fetchQuery({ ...detail, staleTime: 0 });
        setSeen(current.version);
        setOvertaken(true);
      }
      throw error;
    }
    await Promise.all([
      queries.invalidateQueries(detail),
      queries.invalidateQueries(ask('policies.listPolicies')),
    ]);
  }

  return { send, isOvertaken, settle };
}

/** The terms of a policy that are about images as a whole. */
function TermFields({ pick, amount, number }: Fields<PolicyDraft>) {
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
      <Term label={t.minAge} hint={t.minAgeHint}>
        {(id) => <NumberInput id={id} suffix={` ${t.hours}`} {...number('min_age_hours')} />}
      </Term>
      <Term label={t.unlessFixes} hint={t.unlessFixesHint}>
        {(id) => <ChoiceSelect id={id} names={t.unlessFixed} {...pick('unless_fixes')} />}
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
        {hint && <Dimmed>{hint}</Dimmed>}
      </div>
      {children(id)}
    </>
  );
}
