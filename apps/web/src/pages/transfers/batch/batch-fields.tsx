/** Takes the ends, the images and the options of a transfer. */
import {
  Checkbox,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { IconArrowRight } from '@tabler/icons-react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import { PermissionAlert } from '../../../session/permission-alert.tsx';
import { useNoPushable } from '../../images/no-pushable.ts';
import { useRegistryChoices } from '../../images/use-registries.ts';
import { PlatformsField } from '../../pull/platforms-field.tsx';
import { ReferrersField } from '../../pull/referrers-field.tsx';
import { ScanFields } from '../../pull/scan-fields.tsx';
import classes from '../transfers.module.css';
import type { BatchFieldsProps, BatchForm } from './batch-form.ts';
import { EntryList } from './entry-list.tsx';

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

function Ends(fields: BatchFieldsProps) {
  const t = useMessages('batch');
  const ends = useRegistryChoices();
  const { value: form, set, faultAt } = fields;
  return (
    <section className={classes.ends}>
      <Select
        label={t.from}
        data={[{ value: HUB, label: t.hub }, ...ends]}
        value={form.from || HUB}
        onChange={(value) => set({ from: value === HUB || value === null ? '' : value })}
        error={faultAt('source_registry_id')}
        allowDeselect={false}
        searchable={ends.length > 6}
      />
      <IconArrowRight className={classes.arrow ?? ''} size={20} aria-hidden="true" />
      <Select
        label={t.to}
        data={ends}
        value={form.to}
        onChange={(to) => to !== null && set({ to })}
        error={faultAt('dest_registry_id')}
        allowDeselect={false}
        searchable={ends.length > 6}
      />
      {form.to === LOCAL_REGISTRY_ID && <FolderSelect {...fields} />}
      <MissingPermissions {...form} />
    </section>
  );
}

function FolderSelect({ value: { folder }, set, faultAt }: BatchFieldsProps) {
  const t = useMessages('batch');
  const pushable = useAnswer('folders.listPushable');
  const names = (pushable.data ?? []).filter((name) => name !== ROOT_FOLDER);
  return (
    <Select
      label={t.folder}
      data={[
        // The names of the images decide then: they may begin with a folder.
        { value: ROOT_FOLDER, label: t.noFolder },
        ...names.map((value) => ({ value, label: value })),
      ]}
      placeholder={t.folderPick}
      withAsterisk
      value={folder === '' ? ROOT_FOLDER : folder}
      onChange={(chosen) => set({ folder: chosen === ROOT_FOLDER ? '' : chosen })}
      error={faultAt('dest_folder')}
      allowDeselect={false}
      searchable={names.length > 6}
    />
  );
}

function Options(fields: BatchFieldsProps) {
  const t = useMessages('batch');
  const { text, tags, pick, faultAt } = fields;
  return (
    <section>
      <Title order={2} mb="xs">
        {t.options}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <PlatformsField {...tags('platforms')} />
        <TextInput
          label={t.destTag}
          description={t.destTagHint}
          {...text('destTag')}
          spellCheck={false}
          autoCapitalize="none"
        />
        <ReferrersField {...pick('referrers')} />
      </SimpleGrid>
      <ScanFields {...fields} />
      <BypassFields {...fields} />
      <Text size="sm" c="var(--mantine-color-error)">
        {faultAt('vuln_scan_enabled_override')}
      </Text>
    </section>
  );
}

/** For accounts that may push blocked images. */
function BypassFields({ value, check, text }: BatchFieldsProps) {
  const t = useMessages('batch');
  const { is_admin, can_bypass_vuln_block } = useAccount();
  if (!is_admin && !can_bypass_vuln_block) return null;
  return (
    <Stack gap="xs" mt="sm">
      <Checkbox
        label={t.passBlocked}
        description={t.passBlockedHint}
        {...check('passBlocked', 'bypass_gate')}
      />
      {value.passBlocked && (
        <Textarea label={t.bypassReason} {...text('bypassReason')} autosize minRows={2} required />
      )}
    </Stack>
  );
}

/** Says which permissions a transfer between two registries lacks, and whom to ask. */
function MissingPermissions({ from, to }: Pick<BatchForm, 'from' | 'to'>) {
  const t = useMessages('batch');
  const { pull_external: mayPull, push_external: mayPush } = useAccount().capabilities;
  const { data: pushable } = useAnswer('folders.listPushable');
  const nowhere = useNoPushable();
  const toLocal = to === LOCAL_REGISTRY_ID;
  const texts = [
    ...(from === LOCAL_REGISTRY_ID || mayPull ? [] : [t.mayNotPull]),
    ...(toLocal || mayPush ? [] : [t.mayNotPush]),
    ...(toLocal && pushable?.length === 0 ? [nowhere] : []),
  ];
  if (texts.length === 0) return null;
  return (
    <div className={classes.missing}>
      <PermissionAlert>
        {texts.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </PermissionAlert>
    </div>
  );
}
