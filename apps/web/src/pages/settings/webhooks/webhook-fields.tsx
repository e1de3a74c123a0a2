/** The fields of a webhook. */
import { Input, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { Webhook } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choice-select.tsx';
import { allFolders } from '../all-entries.ts';
import { KindFields } from './kind-fields.tsx';
import { needsUrl, type WebhookForm } from './webhook-form.ts';

export interface WebhookFieldsProps {
  form: WebhookForm;
  set(part: Partial<WebhookForm>): void;
  /** By field path. */
  faults: Record<string, string>;
  webhook: Webhook | null;
}

export function WebhookFields(props: WebhookFieldsProps) {
  const t = useMessages('webhooks');
  const { form, set, faults, webhook } = props;
  return (
    <Stack>
      <TextInput
        label={t.name}
        placeholder={t.namePlaceholder}
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={faults.name}
        maxLength={128}
        data-autofocus
        required
      />
      <Input.Wrapper label={t.format} id="webhook-format" description={t.formatHints[form.format]}>
        <ChoiceSelect
          id="webhook-format"
          names={t.formats}
          value={form.format}
          onChange={(format) => set({ format })}
        />
      </Input.Wrapper>
      <UrlField {...props} />
      {webhook === null && <FolderField {...props} />}
      <KindFields form={form} set={set} />
      <Switch
        label={t.enabled}
        description={t.enabledHint}
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function UrlField({ form, set, faults, webhook }: WebhookFieldsProps) {
  const t = useMessages('webhooks');
  const again = webhook !== null && needsUrl(form, webhook);
  const hint = webhook === null ? t.urlHint : t.urlKept;
  return (
    <TextInput
      type="url"
      label={t.url}
      placeholder={webhook?.url ?? 'https://hooks.example.com/portcullis'}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={form.url}
      onChange={(event) => set({ url: event.currentTarget.value })}
      error={faults.url ?? (again ? t.urlAgain : null)}
      maxLength={2_048}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      required={webhook === null || again}
    />
  );
}

const EVERYWHERE = '';

/** Folders can't be renamed, and a webhook remains with its folder. */
function FolderField({ form, set, faults }: WebhookFieldsProps) {
  const t = useMessages('webhooks');
  const { data = [] } = useQuery(allFolders);
  const named = data.filter(({ name }) => name !== ROOT);
  return (
    <Select
      label={t.folder}
      description={t.folderHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { value: EVERYWHERE, label: t.everywhere },
        ...named.map(({ name }) => ({ value: name, label: name })),
      ]}
      value={form.folder ?? EVERYWHERE}
      onChange={(folder) => set({ folder: folder === EVERYWHERE ? null : folder })}
      error={faults.folder}
      allowDeselect={false}
      searchable
    />
  );
}

const ROOT = '__root__';
