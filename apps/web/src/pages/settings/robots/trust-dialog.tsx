/** The dialog in which administrators create, change and delete a trust rule. */
import { Checkbox, Modal, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { Robot, TokenScope, TrustRuleView } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { ScopeField } from '../../../kit/token/scope-field.tsx';
import { linesOf, parseLines } from './conditions.ts';

interface TrustDialogProps {
  rule: TrustRuleView | null;
  robots: Robot[];
  onClose(): void;
}

interface Draft {
  name: string;
  issuer: string;
  audience: string;
  /** Lines of text. */
  conditions: string;
  robot_id: string;
  scope: TokenScope;
  minutes: number;
  ca_cert: string;
  enabled: boolean;
}

const ISSUERS = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
} as const;
/** Proper names, the same in each language. */
const ISSUER_NAMES = { github: 'GitHub Actions', gitlab: 'GitLab.com' } as const;
const EXAMPLE = 'repository = acme/app\nref = refs/heads/main, refs/tags/*';

export function TrustDialog(props: TrustDialogProps) {
  const t = useMessages('trusts');
  const { rule, onClose } = props;
  const [removing, setRemoving] = useState(false);
  if (rule && removing)
    return <TrustRemoval rule={rule} onClose={() => setRemoving(false)} onDone={onClose} />;
  return (
    <Modal opened onClose={onClose} title={rule?.name ?? t.newRule} size="lg">
      <TrustForm {...props} onRemove={() => setRemoving(true)} />
    </Modal>
  );
}

function TrustForm({ rule, robots, onClose, onRemove }: TrustDialogProps & { onRemove(): void }) {
  const t = useMessages('trusts');
  const [draft, setDraft] = useState(() => draftOf(rule, robots));
  const save = useSave(rule, onClose);
  const faults = isProblem(save.error) ? save.error.fields : {};
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
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
        <IssuerFields draft={draft} onChange={set} error={faults.issuer} />
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
          onCancel={onClose}
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

interface IssuerFieldsProps {
  draft: Draft;
  onChange(change: Partial<Draft>): void;
  error?: string | undefined;
}

function IssuerFields({ draft, onChange, error }: IssuerFieldsProps) {
  const t = useMessages('trusts');
  const kinds = ['github', 'gitlab', 'other'] as const;
  const names = { ...ISSUER_NAMES, other: t.otherIssuer };
  const known = (['github', 'gitlab'] as const).find((kind) => ISSUERS[kind] === draft.issuer);
  const kind = known ?? 'other';
  return (
    <>
      <Select
        label={t.issuer}
        data={kinds.map((value) => ({ value, label: names[value] }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) =>
          onChange({ issuer: value === 'github' || value === 'gitlab' ? ISSUERS[value] : '' })
        }
        error={kind === 'other' ? undefined : error}
      />
      {kind === 'other' && (
        <>
          <TextInput
            label={t.issuerUrl}
            placeholder="https://gitlab.example.com"
            value={draft.issuer}
            required
            maxLength={1000}
            onChange={(event) => onChange({ issuer: event.currentTarget.value })}
            error={error}
          />
          <Textarea
            label={t.caCert}
            value={draft.ca_cert}
            autosize
            minRows={2}
            maxRows={6}
            onChange={(event) => onChange({ ca_cert: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}

function draftOf(rule: TrustRuleView | null, [first]: Robot[]): Draft {
  return {
    name: rule?.name ?? '',
    issuer: rule?.issuer ?? ISSUERS.github,
    audience: rule?.audience ?? window.location.origin,
    conditions: rule ? linesOf(rule.conditions) : '',
    robot_id: rule?.robot.id ?? first?.id ?? '',
    scope: rule?.scope ?? { folders: 'all', actions: ['pull', 'push'], api: true, registry: true },
    minutes: rule?.minutes ?? 15,
    ca_cert: rule?.ca_cert ?? '',
    enabled: rule?.enabled ?? true,
  };
}

type Order = Omit<Draft, 'conditions'> & { conditions: Record<string, string[]> };

function useSave(rule: TrustRuleView | null, onDone: () => void) {
  const t = useMessages('trusts');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ca_cert: certificate, ...order }: Order) => {
      const body = { ...order, ca_cert: certificate.trim() === '' ? null : certificate };
      return rule
        ? call('trusts.update', { params: { id: rule.id }, body })
        : call('trusts.create', { body });
    },
    onSuccess: async ({ name }) => {
      await queries.invalidateQueries({ queryKey: keyOf('trusts.list') });
      notices.done(rule ? t.saved(name) : t.created(name));
      onDone();
    },
  });
}

interface TrustRemovalProps {
  rule: TrustRuleView;
  onClose(): void;
  onDone(): void;
}

function TrustRemoval({ rule, onClose, onDone }: TrustRemovalProps) {
  const t = useMessages('trusts');
  const notices = useNotices();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('trusts.remove', { params: { id: rule.id } }),
    onSuccess: async () => {
      notices.done(t.removed(rule.name));
      onDone();
      await queries.invalidateQueries({ queryKey: keyOf('trusts.list') });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeTitle(rule.name)}
      action={t.removeAction}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t.removeText}
    </ConfirmDialog>
  );
}
