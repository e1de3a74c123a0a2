/** Chooses the destination of a push. */
import { Group, PasswordInput, Select, TextInput } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { Administrators } from '../../../session/contacts.tsx';
import { useNoPushable } from '../../images/no-pushable.ts';
import type { PushForm } from './push-form.ts';

interface PushTargetProps extends Fields<PushForm> {
  /** The folders that the account may push to. */
  pushable: readonly string[] | undefined;
}

export function PushTarget(props: PushTargetProps) {
  if (props.value.target === 'local') return <Folder {...props} />;
  return props.value.target === 'saved' ? <Saved {...props} /> : <Host {...props} />;
}

function Folder({ value, set, pushable, faultAt }: PushTargetProps) {
  const t = useMessages('push');
  const nowhere = useNoPushable();
  const names = pushable ?? [];
  const named = names.filter((name) => name !== ROOT_FOLDER);
  return (
    <Select
      label={t.folder}
      placeholder={t.folderPick}
      data={[...(names.includes(ROOT_FOLDER) ? [{ value: '', label: t.noFolder }] : []), ...named]}
      value={value.folder}
      onChange={(folder) => set({ folder: folder ?? '' })}
      description={
        pushable?.length === 0 && (
          <>
            {nowhere} <Administrators />
          </>
        )
      }
      error={faultAt('folder')}
      searchable={named.length > 8}
      allowDeselect={false}
      required
    />
  );
}

function Saved({ pick }: PushTargetProps) {
  const t = useMessages('push');
  const registries = useAnswer('registries.listRegistries');
  const data = (registries.data ?? []).map(({ id, name, host }) => ({
    value: id,
    label: `${name} (${host})`,
  }));
  return (
    <Select
      label={t.registry}
      data={data}
      {...pick('registryId', 'external_registry_id')}
      required
    />
  );
}

function Host({ text }: PushTargetProps) {
  const t = useMessages('push');
  return (
    <>
      <TextInput
        label={t.host}
        {...text('host', 'external_registry_host')}
        spellCheck={false}
        required
      />
      <Group grow>
        <TextInput
          label={t.username}
          {...text('username', 'external_registry_username')}
          autoComplete="off"
        />
        <PasswordInput
          label={t.password}
          {...text('password', 'external_registry_password')}
          autoComplete="new-password"
        />
      </Group>
    </>
  );
}
