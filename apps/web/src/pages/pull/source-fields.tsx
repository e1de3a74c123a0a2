import {
  Checkbox,
  Collapse,
  Group,
  Input,
  PasswordInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { ChoiceField } from '../../kit/form/choice-field.tsx';
import { useAccount } from '../../session/account.ts';
import { PermissionAlert } from '../../session/permission-alert.tsx';
import { type PullFieldProps, SOURCES } from './pull-form.ts';

export function SourceFields(props: PullFieldProps) {
  const t = useMessages('pull');
  const { form, set } = props;
  const { capabilities } = useAccount();
  return (
    <>
      <Input.Wrapper label={t.from} labelElement="div">
        <ChoiceField
          label={t.from}
          values={SOURCES}
          names={t.sources}
          value={form.source}
          onChange={(source) => set({ source })}
        />
      </Input.Wrapper>
      {!capabilities.pull_external && <PermissionAlert>{t.hubForbidden}</PermissionAlert>}
      {form.source === 'saved' && <SavedRegistry {...props} />}
      {form.source === 'host' && <OtherHost {...props} />}
    </>
  );
}

function SavedRegistry({ form, set, faults }: PullFieldProps) {
  const t = useMessages('pull');
  const registries = useQuery(
    ask('registries.listRegistries', { query: { include_system: 'true' } }),
  );
  if (registries.isError) return <FaultAlert error={registries.error} />;
  const choices = (registries.data ?? []).map(({ id, name, host, system }) => ({
    value: id,
    label: system ? t.builtIn : `${name} (${host})`,
  }));
  return (
    <Select
      label={t.registry}
      placeholder={t.registryPick}
      nothingFoundMessage={t.noRegistries}
      data={choices}
      value={form.registryId}
      onChange={(registryId) => set({ registryId })}
      error={faults.source_registry_id}
      searchable={choices.length > 6}
      required
    />
  );
}

function OtherHost({ form, set, faults }: PullFieldProps) {
  const t = useMessages('pull');
  const [account, { toggle }] = useDisclosure(form.username !== '');
  return (
    <Stack gap="sm">
      <TextInput
        label={t.host}
        placeholder={t.hostHint}
        value={form.host}
        onChange={(event) => set({ host: event.currentTarget.value })}
        error={faults.source_registry_host}
        spellCheck={false}
        autoCapitalize="none"
        required
      />
      <Group gap="lg">
        <Checkbox
          label={t.useTls}
          checked={form.useTls}
          onChange={(event) => set({ useTls: event.currentTarget.checked })}
        />
        <Checkbox
          label={t.tlsVerify}
          checked={form.tlsVerify && form.useTls}
          disabled={!form.useTls}
          onChange={(event) => set({ tlsVerify: event.currentTarget.checked })}
        />
        <Checkbox label={t.account} checked={account} onChange={toggle} />
      </Group>
      <Collapse expanded={account}>
        <Group grow align="flex-start">
          <TextInput
            label={t.username}
            value={form.username}
            onChange={(event) => set({ username: event.currentTarget.value })}
            error={faults.source_registry_username}
            autoComplete="off"
          />
          <PasswordInput
            label={t.password}
            description={t.passwordHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={form.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
            error={faults.source_registry_password}
            autoComplete="new-password"
          />
        </Group>
      </Collapse>
    </Stack>
  );
}
