import { Group, PasswordInput, Select, TextInput } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { Administrators } from '../../../session/contacts.tsx';
import type { PushForm } from './push-form.ts';

interface PushTargetProps {
  form: PushForm;
  set(change: Partial<PushForm>): void;
  /** The folders that the account may push to. */
  pushable: readonly string[] | undefined;
  faults: Readonly<Record<string, string>>;
}

export function PushTarget(props: PushTargetProps) {
  if (props.form.target === 'local') return <Folder {...props} />;
  return props.form.target === 'saved' ? <Saved {...props} /> : <Host {...props} />;
}

function Folder({ form, set, pushable, faults }: PushTargetProps) {
  const t = useMessages('push');
  const names = pushable ?? [];
  const named = names.filter((name) => name !== ROOT_FOLDER);
  return (
    <Select
      label={t.folder}
      placeholder={t.folderPick}
      data={[...(names.includes(ROOT_FOLDER) ? [{ value: '', label: t.noFolder }] : []), ...named]}
      value={form.folder}
      onChange={(folder) => set({ folder: folder ?? '' })}
      description={
        pushable?.length === 0 && (
          <>
            {t.noFolders} <Administrators />
          </>
        )
      }
      error={faults.folder}
      searchable={named.length > 8}
      allowDeselect={false}
      required
    />
  );
}

function Saved({ form, set, faults }: PushTargetProps) {
  const t = useMessages('push');
  const registries = useQuery(ask('registries.listRegistries'));
  const data = (registries.data ?? []).map(({ id, name, host }) => ({
    value: id,
    label: `${name} (${host})`,
  }));
  return (
    <Select
      label={t.registry}
      data={data}
      value={form.registryId}
      onChange={(registryId) => set({ registryId })}
      error={faults.external_registry_id}
      required
    />
  );
}

function Host({ form, set, faults }: PushTargetProps) {
  const t = useMessages('push');
  return (
    <>
      <TextInput
        label={t.host}
        value={form.host}
        onChange={(event) => set({ host: event.currentTarget.value })}
        error={faults.external_registry_host}
        spellCheck={false}
        required
      />
      <Group grow>
        <TextInput
          label={t.username}
          value={form.username}
          onChange={(event) => set({ username: event.currentTarget.value })}
          error={faults.external_registry_username}
          autoComplete="off"
        />
        <PasswordInput
          label={t.password}
          value={form.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
          error={faults.external_registry_password}
          autoComplete="new-password"
        />
      </Group>
    </>
  );
}
