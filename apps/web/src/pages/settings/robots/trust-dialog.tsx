/** The dialog in which administrators create, change and delete a trust rule. */
import { Checkbox, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { Robot, TrustRuleView } from '@portcullis/contract';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/removal-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { useEntrySave } from '../../../kit/form/use-entry-save.ts';
import { ScopeField } from '../../../kit/token/scope-field.tsx';
import { parseLines } from './conditions.ts';
import { IssuerFields } from './issuer-fields.tsx';
import { draftOf, type TrustDraft } from './trust-draft.ts';

interface TrustDialogProps {
  rule: TrustRuleView | null;
  robots: Robot[];
  onClose(): void;
}

const EXAMPLE = 'repository = acme/app\nref = refs/heads/main, refs/tags/*';

export function TrustDialog(props: TrustDialogProps) {
  const t = useMessages('trusts');
  const { rule, onClose } = props;
  const [removing, setRemoving] = useState(false);
  if (rule && removing)
    return <TrustRemoval rule={rule} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <AskedModal opened onClose={onClose} title={rule?.name ?? t.newRule} size="lg">
      {(close) => <TrustForm {...props} onCancel={close} onRemove={() => setRemoving(true)} />}
    </AskedModal>
  );
}

interface TrustFormProps extends TrustDialogProps {
  onCancel(): void;
  onRemove(): void;
}

function TrustForm({ rule, robots, onClose, onCancel, onRemove }: TrustFormProps) {
  const t = useMessages('trusts');
  const [draft, setDraft] = useState(() => draftOf(rule, robots));
  const save = useSave(rule, onClose);
  useChanged(draft);
  const faults = isProblem(save.error) ? save.error.fields : {};
  const set = (change: Partial<TrustDraft>) => setDraft((before) => ({ ...before, ...change }));
  const parsed = parseLines(draft.conditions);
  const isComplete =
    draft.name.trim() !== '' &&
    draft.issuer !== '' &&
    draft.audience !== '' &&
    draft.conditions.trim() !== '' &&
    'conditions' in parsed;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if ('conditions' in parsed) save.mutate({ ...draft, conditions: parsed.conditions });
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        <FaultAlert error={save.error} />
        <TextInput
          label={t.name}
          value={draft.name}
          required
          maxLength={128}
          data-autofocus
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={faults.name}
        />
        <IssuerFields draft={draft} onChange={set} faults={faults} />
        <TextInput
          label={t.audience}
          description={t.audienceHint}
          value={draft.audience}
          required
          maxLength={255}
          onChange={(event) => set({ audience: event.currentTarget.value })}
          error={faults.audience}
        />
        <Textarea
          label={t.conditions}
          description={t.conditionsHint}
          placeholder={EXAMPLE}
          value={draft.conditions}
          required
          autosize
          minRows={2}
          onChange={(event) => set({ conditions: event.currentTarget.value })}
          error={
            'wrongLine' in parsed ? t.conditionsWrong(parsed.wrongLine) : conditionFault(faults)
          }
        />
        <Select
          label={t.robot}
          data={robots.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.robot_id}
          allowDeselect={false}
          searchable
          onChange={(value) => set({ robot_id: value ?? draft.robot_id })}
          error={faults.robot_id}
        />
        <ScopeField value={draft.scope} onChange={(scope) => set({ scope })} error={faults.scope} />
        <NumberInput
          label={t.minutes}
          description={t.minutesHint}
          value={draft.minutes}
          min={1}
          max={15}
          allowDecimal={false}
          onChange={(value) => set({ minutes: Number(value) })}
          error={faults.minutes}
        />
        <Checkbox
          label={t.enabled}
          checked={draft.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <EntryActions
          isNew={!rule}
          create={t.create}
          pending={save.isPending}
          disabled={!isComplete}
          onCancel={onCancel}
          onRemove={onRemove}
        />
      </Stack>
    </form>
  );
}

/** A fault of one pattern is shown at the field of all. */
function conditionFault(faults: Record<string, string>): string | undefined {
  const [, text] = Object.entries(faults).find(([path]) => path.startsWith('conditions')) ?? [];
  return text;
}

type Order = Omit<TrustDraft, 'conditions'> & { conditions: Record<string, string[]> };

function useSave(rule: TrustRuleView | null, onDone: () => void) {
  const t = useMessages('trusts');
  return useEntrySave({
    save: ({ ca_cert: certificate, ...order }: Order) => {
      const body = { ...order, ca_cert: certificate.trim() === '' ? null : certificate };
      return rule
        ? call('trusts.update', { params: { id: rule.id }, body })
        : call('trusts.create', { body });
    },
    done: ({ name }) => (rule ? t.saved(name) : t.created(name)),
    lists: [keyOf('trusts.list')],
    onDone,
  });
}

interface TrustRemovalProps {
  rule: TrustRuleView;
  onClose(): void;
  onDone(): void;
}

function TrustRemoval({ rule, ...on }: TrustRemovalProps) {
  const t = useMessages('trusts');
  return (
    <RemovalDialog
      {...on}
      title={t.removeTitle(rule.name)}
      action={t.removeAction}
      remove={() => call('trusts.remove', { params: { id: rule.id } })}
      done={t.removed(rule.name)}
      lists={[keyOf('trusts.list')]}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
