import {
  Checkbox,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import { ReferrersField } from '../../pull/referrers-field.tsx';
import { ScanFields } from '../../pull/scan-fields.tsx';
import { useRegistryChoices } from '../transfer-registries.ts';
import classes from '../transfers.module.css';
import type { BatchFieldsProps } from './batch-form.ts';
import { EntryList } from './entry-list.tsx';
import { MissingPermissions } from './missing-permissions.tsx';

export function BatchFields(props: BatchFieldsProps) {
  return (
    <Stack gap="lg">
      <Ends {...props} />
      <EntryList {...props} />
      <Options {...props} />
    </Stack>
  );
}

const HUB = 'hub';

function Ends({ form, set, faults }: BatchFieldsProps) {
  const t = useMessages('batch');
  const ends = useRegistryChoices();
  return (
    <section className={classes.ends}>
      <Select
        label={t.from}
        data={[{ value: HUB, label: t.hub }, ...ends]}
        value={form.from || HUB}
        onChange={(value) => set({ from: value === HUB || value === null ? '' : value })}
        error={faults.source_registry_id}
        allowDeselect={false}
        searchable={ends.length > 6}
      />
      <IconArrowRight className={classes.arrow ?? ''} size={20} aria-hidden="true" />
      <Select
        label={t.to}
        data={ends}
        value={form.to}
        onChange={(to) => to !== null && set({ to })}
        error={faults.dest_registry_id}
        allowDeselect={false}
        searchable={ends.length > 6}
      />
      {form.to === LOCAL_REGISTRY_ID && <FolderSelect form={form} set={set} faults={faults} />}
      <MissingPermissions {...form} />
    </section>
  );
}

function FolderSelect({ form, set, faults }: BatchFieldsProps) {
  const t = useMessages('batch');
  const pushable = useQuery(ask('folders.listPushable'));
  const names = (pushable.data ?? []).filter((name) => name !== ROOT_FOLDER);
  return (
    <Select
      label={t.folder}
      data={[
        { value: ROOT_FOLDER, label: t.noFolder },
        ...names.map((value) => ({ value, label: value })),
      ]}
      placeholder={t.folderPick}
      withAsterisk
      value={form.folder === '' ? ROOT_FOLDER : form.folder}
      onChange={(folder) =>
        set({ folder: folder === ROOT_FOLDER || folder === null ? '' : folder })
      }
      error={faults.dest_folder}
      allowDeselect={false}
      searchable={names.length > 6}
    />
  );
}

const COMMON = ['linux/amd64', 'linux/arm64', 'linux/arm/v7', 'linux/s390x', 'linux/ppc64le'];

function Options(props: BatchFieldsProps) {
  const t = useMessages('batch');
  const { form, set, faults } = props;
  return (
    <section>
      <Title order={2} mb="xs">
        {t.options}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TagsInput
          label={t.platforms}
          placeholder={form.platforms.length === 0 ? t.platformsAll : ''}
          data={COMMON}
          value={form.platforms}
          onChange={(platforms) => set({ platforms })}
          error={Object.entries(faults).find(([path]) => path.startsWith('platforms'))?.[1]}
          clearable
        />
        <TextInput
          label={t.destTag}
          description={t.destTagHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={form.destTag}
          onChange={(event) => set({ destTag: event.currentTarget.value })}
          error={faults.dest_tag}
          spellCheck={false}
          autoCapitalize="none"
        />
        <ReferrersField value={form.referrers} onChange={(referrers) => set({ referrers })} />
      </SimpleGrid>
      <ScanFields form={form} set={set} faults={faults} />
      <BypassFields form={form} set={set} faults={faults} />
      <Text size="sm" c="var(--mantine-color-error)">
        {faults.vuln_scan_enabled_override}
      </Text>
    </section>
  );
}

/** For accounts that may push blocked images. */
function BypassFields({ form, set, faults }: BatchFieldsProps) {
  const t = useMessages('batch');
  const { is_admin, can_bypass_vuln_block } = useAccount();
  if (!is_admin && !can_bypass_vuln_block) return null;
  return (
    <Stack gap="xs" mt="sm">
      <Checkbox
        label={t.passBlocked}
        description={t.passBlockedHint}
        checked={form.passBlocked}
        onChange={(event) => set({ passBlocked: event.currentTarget.checked })}
      />
      {form.passBlocked && (
        <Textarea
          label={t.bypassReason}
          value={form.bypassReason}
          onChange={(event) => set({ bypassReason: event.currentTarget.value })}
          error={faults.bypass_reason}
          autosize
          minRows={2}
          maxLength={1000}
          required
        />
      )}
    </Stack>
  );
}
