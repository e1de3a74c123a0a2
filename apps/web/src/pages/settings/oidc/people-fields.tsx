import {
  ActionIcon,
  Button,
  Group,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import type { OidcSettings } from '@portcullis/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { allGroups } from '../all-entries.ts';

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
      <Text size="sm" c="dimmed" mb={6}>
        {t.mappingLead}
      </Text>
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
