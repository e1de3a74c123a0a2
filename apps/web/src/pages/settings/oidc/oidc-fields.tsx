/** The fields of single sign-on: the identity provider, the people, and the rules. */
import {
  ActionIcon,
  Button,
  Group,
  Input,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { OidcSettings } from '@portcullis/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { SecretField } from '../../../kit/form/secret-field.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { allGroups } from '../all-entries.ts';
import grid from '../network/network.module.css';

const HALF = { className: grid.half ?? '' };

export function ProviderFields({ check, optional, text, tags }: Fields<OidcSettings>) {
  const t = useMessages('oidc');
  const callback = `${window.location.origin}/api/oidc/callback`;
  return (
    <Panel title={t.provider}>
      <div className={grid.grid}>
        <Switch label={t.enabled} description={t.enabledHint} {...check('enabled')} />
        <Input.Wrapper label={t.callback} labelElement="div" description={t.callbackHint}>
          <div style={{ marginTop: 4 }}>
            <CopyableText text={callback} label={t.copyCallback} />
          </div>
        </Input.Wrapper>
        <TextInput
          label={t.issuer}
          description={t.issuerHint}
          placeholder="https://login.example.org/realms/main"
          {...optional('issuer')}
        />
        <TextInput label={t.clientId} {...HALF} {...optional('client_id')} />
        <SecretField
          label={t.clientSecret}
          description={t.secretKept}
          {...HALF}
          {...optional('client_secret')}
        />
        <TextInput label={t.name} {...HALF} {...text('provider_name')} />
        <TagsInput label={t.scopes} {...HALF} {...tags('scopes')} />
        <TextInput
          label={t.usernameClaim}
          description={t.claimHint}
          {...HALF}
          {...text('username_claim')}
        />
        <TextInput label={t.groupsClaim} {...HALF} {...text('groups_claim')} />
      </div>
    </Panel>
  );
}

export function PeopleFields(fields: Fields<OidcSettings>) {
  const { tags } = fields;
  const t = useMessages('oidc');
  return (
    <Panel title={t.people}>
      <Stack>
        <TagsInput label={t.allowed} description={t.allowedHint} {...tags('allowed_groups')} />
        <TagsInput label={t.admins} description={t.adminsHint} {...tags('admin_groups')} />
        <Mapping {...fields} />
      </Stack>
    </Panel>
  );
}

function Mapping({ value, set }: Fields<OidcSettings>) {
  const t = useMessages('oidc');
  const groups = useQuery(allGroups);
  const lines = value.group_mapping;
  const change = (index: number, part: Partial<(typeof lines)[number]>) =>
    set({ group_mapping: lines.map((line, at) => (at === index ? { ...line, ...part } : line)) });
  return (
    <div>
      <Text size="sm" fw={550}>
        {t.mapping}
      </Text>
      <Dimmed mb={6}>{t.mappingLead}</Dimmed>
      <Stack gap={6}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={t.theirs}
              placeholder={t.theirs}
              value={line.claim}
              onChange={(event) => change(index, { claim: event.currentTarget.value })}
            />
            <Text c="dimmed" aria-hidden="true">
              →
            </Text>
            <Select
              flex={1}
              aria-label={t.ours}
              placeholder={t.ours}
              searchable
              data={(groups.data ?? []).map(({ name }) => name)}
              value={line.group || null}
              onChange={(group) => change(index, { group: group ?? '' })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t.removeMapping(line.claim)}
              onClick={() => set({ group_mapping: lines.filter((_, at) => at !== index) })}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <Button
        variant="default"
        size="xs"
        mt={8}
        leftSection={<IconPlus size={14} />}
        onClick={() => set({ group_mapping: [...lines, { claim: '', group: '' }] })}
      >
        {t.addMapping}
      </Button>
    </div>
  );
}

export function RuleFields({ check, optional }: Fields<OidcSettings>) {
  const t = useMessages('oidc');
  return (
    <Panel title={t.rules}>
      <Stack>
        <Switch label={t.only} description={t.onlyHint} {...check('oidc_only')} />
        <Switch label={t.insecure} description={t.insecureHint} {...check('allow_insecure')} />
        <Textarea
          label={t.caCert}
          placeholder="-----BEGIN CERTIFICATE-----"
          {...optional('ca_cert')}
          autosize
          minRows={2}
          maxRows={8}
        />
      </Stack>
    </Panel>
  );
}
