/** The fields of a webhook. */
import {
  Checkbox,
  Fieldset,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import type { Webhook } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField, ChoiceSelect } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { allFolders } from '../all-entries.ts';
import { needsUrl, type WebhookForm } from './webhook-form.ts';
import { GROUPS, KIND_GROUPS, type Kind } from './webhook-kinds.ts';

interface WebhookFieldsProps extends Fields<WebhookForm> {
  webhook: Webhook | null;
}

export function WebhookFields(props: WebhookFieldsProps) {
  const t = useMessages('webhooks');
  const { value, text, pick, check, webhook } = props;
  return (
    <>
      <TextInput
        label={t.name}
        placeholder={t.namePlaceholder}
        {...text('name')}
        data-autofocus
        required
      />
      <ChoiceSelect
        label={t.format}
        description={t.formatHints[value.format]}
        names={t.formats}
        {...pick('format')}
      />
      <UrlField {...props} />
      {webhook === null && <FolderField {...props} />}
      <KindFields {...props} />
      <Switch label={t.enabled} description={t.enabledHint} {...check('enabled')} />
    </>
  );
}

function UrlField({ value, text, webhook }: WebhookFieldsProps) {
  const t = useMessages('webhooks');
  const again = webhook !== null && needsUrl(value, webhook);
  const field = text('url');
  return (
    <TextInput
      type="url"
      label={t.url}
      placeholder={webhook?.url ?? 'https://hooks.example.com/portcullis'}
      description={webhook === null ? t.urlHint : t.urlKept}
      {...field}
      error={field.error ?? (again ? t.urlAgain : null)}
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
function FolderField({ value, set, faultAt }: WebhookFieldsProps) {
  const t = useMessages('webhooks');
  const { data = [] } = useQuery(allFolders);
  const names = data.map(({ name }) => name).filter((name) => name !== ROOT_FOLDER);
  return (
    <Select
      label={t.folder}
      description={t.folderHint}
      data={[{ value: EVERYWHERE, label: t.everywhere }, ...names]}
      value={value.folder ?? EVERYWHERE}
      onChange={(chosen) => set({ folder: chosen || null })}
      error={faultAt('folder')}
      allowDeselect={false}
      searchable
    />
  );
}

/** Which events a webhook gets: all, or a selection by groups. */
function KindFields({ value: { all, kinds }, set }: Fields<WebhookForm>) {
  const t = useMessages('webhooks');
  const toggle = (kind: Kind, wanted: boolean) =>
    set({ kinds: wanted ? [...kinds, kind] : kinds.filter((each) => each !== kind) });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        {t.events}
      </Text>
      <ChoiceField
        label={t.events}
        values={['some', 'all']}
        names={{ some: t.selectedKinds, all: t.allKinds }}
        value={all ? 'all' : 'some'}
        onChange={(value) => set({ all: value === 'all' })}
      />
      {all ? (
        <Dimmed>{t.allHint}</Dimmed>
      ) : (
        <>
          {GROUPS.map((group) => (
            <Fieldset key={group} legend={t.groups[group]}>
              <SimpleGrid minColWidth={190} spacing={14} verticalSpacing={10}>
                {KIND_GROUPS[group].map((kind: Kind) => (
                  <Checkbox
                    key={kind}
                    label={t.kinds[kind]}
                    checked={kinds.includes(kind)}
                    onChange={(event) => toggle(kind, event.currentTarget.checked)}
                  />
                ))}
              </SimpleGrid>
            </Fieldset>
          ))}
          {kinds.length === 0 && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {t.noKinds}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
