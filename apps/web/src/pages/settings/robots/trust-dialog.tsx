/** The dialog in which administrators create, change and delete a trust rule. */
import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { Robot, TrustRuleView } from '@portcullis/contract';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { ScopeField } from '../../../kit/token/scope-field.tsx';
import { parseLines } from './conditions.ts';
import {
  draftOf,
  ISSUERS,
  isComplete,
  issuerChange,
  requestOf,
  type TrustDraft,
} from './trust-draft.ts';

interface TrustDialogProps {
  rule: TrustRuleView | null;
  robots: Robot[];
  onClose(): void;
}

export function TrustDialog({ rule, robots, onClose }: TrustDialogProps) {
  const t = useMessages('trusts');
  const params = { id: rule?.id ?? '' };
  return (
    <EntryDialog
      entry={rule}
      title={t.newRule}
      words={t}
      size="lg"
      operation="trusts.create"
      first={draftOf(rule, robots)}
      isReady={isComplete}
      send={(draft) => {
        const body = requestOf(draft);
        return rule ? call('trusts.update', { params, body }) : call('trusts.create', { body });
      }}
      lists={[keyOf('trusts.list')]}
      onClose={onClose}
      removal={{ remove: () => call('trusts.remove', { params }), text: t.removeText }}
    >
      {(fields) => (
        <>
          <TextInput label={t.name} {...fields.text('name')} required data-autofocus />
          <IssuerFields {...fields} />
          <TextInput
            label={t.audience}
            description={t.audienceHint}
            {...fields.text('audience')}
            required
          />
          <Conditions {...fields} />
          <Select
            label={t.robot}
            data={robots.map(({ id, name }) => ({ value: id, label: name }))}
            {...fields.pick('robot_id')}
            onChange={(id) => id !== null && fields.set({ robot_id: id })}
            allowDeselect={false}
            searchable
          />
          <ScopeField {...fields.pick('scope')} />
          <NumberInput
            label={t.minutes}
            description={t.minutesHint}
            {...fields.number('minutes')}
          />
          <Checkbox label={t.enabled} {...fields.check('enabled')} />
        </>
      )}
    </EntryDialog>
  );
}

const EXAMPLE = 'repository = acme/app\nref = refs/heads/main, refs/tags/*';

function Conditions({ value, text }: Fields<TrustDraft>) {
  const t = useMessages('trusts');
  const parsed = parseLines(value.conditions);
  const field = text('conditions');
  return (
    <Textarea
      label={t.conditions}
      description={t.conditionsHint}
      placeholder={EXAMPLE}
      {...field}
      error={'wrongLine' in parsed ? t.conditionsWrong(parsed.wrongLine) : field.error}
      required
      autosize
      minRows={2}
    />
  );
}

/** Proper names, the same in each language. */
const ISSUER_NAMES = { github: 'GitHub Actions', gitlab: 'GitLab.com' } as const;

function IssuerFields({ value: draft, set, text }: Fields<TrustDraft>) {
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
        onChange={(value) => set(issuerChange(value))}
        error={kind === 'other' ? undefined : text('issuer').error}
      />
      {kind === 'other' && (
        <>
          <TextInput
            label={t.issuerUrl}
            placeholder="https://gitlab.example.com"
            {...text('issuer')}
            required
          />
          <Textarea label={t.caCert} {...text('ca_cert')} autosize minRows={2} maxRows={6} />
        </>
      )}
    </>
  );
}
