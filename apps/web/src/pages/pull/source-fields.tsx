/** Chooses where an image is pulled from. */
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
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { ChoiceField } from '../../kit/form/choices.tsx';
import type { Fields } from '../../kit/form/fields.ts';
import { useAccount } from '../../session/account.ts';
import { PermissionAlert } from '../../session/permission-alert.tsx';
import { useRegistries, useRegistryChoices } from '../images/use-registries.ts';
import { type PullForm, SOURCES } from './pull-form.ts';

export function SourceFields(fields: Fields<PullForm>) {
  const t = useMessages('pull');
  const { value, pick } = fields;
  const { capabilities } = useAccount();
  return (
    <>
      <Input.Wrapper label={t.from} labelElement="div">
        <ChoiceField label={t.from} values={SOURCES} names={t.sources} {...pick('source')} />
      </Input.Wrapper>
      {!capabilities.pull_external && <PermissionAlert>{t.hubForbidden}</PermissionAlert>}
      {value.source === 'saved' && <SavedRegistry {...fields} />}
      {value.source === 'host' && <OtherHost {...fields} />}
    </>
  );
}

function SavedRegistry({ pick }: Fields<PullForm>) {
  const t = useMessages('pull');
  const { error } = useRegistries();
  const choices = useRegistryChoices();
  if (error) return <FaultAlert error={error} />;
  return (
    <Select
      label={t.registry}
      placeholder={t.registryPick}
      nothingFoundMessage={t.noRegistries}
      data={choices}
      {...pick('registryId', 'source_registry_id')}
      searchable={choices.length > 6}
      required
    />
  );
}

function OtherHost({ value, text, check }: Fields<PullForm>) {
  const t = useMessages('pull');
  const [account, { toggle }] = useDisclosure(value.username !== '');
  const verifies = check('tlsVerify', 'source_registry_tls_verify');
  return (
    <Stack gap="sm">
      <TextInput
        label={t.host}
        placeholder={t.hostHint}
        {...text('host', 'source_registry_host')}
        spellCheck={false}
        autoCapitalize="none"
        required
      />
      <Group gap="lg">
        <Checkbox label={t.useTls} {...check('useTls', 'source_registry_use_tls')} />
        <Checkbox
          label={t.tlsVerify}
          {...verifies}
          checked={verifies.checked && value.useTls}
          disabled={!value.useTls}
        />
        <Checkbox label={t.account} checked={account} onChange={toggle} />
      </Group>
      <Collapse expanded={account}>
        <Group grow align="flex-start">
          <TextInput
            label={t.username}
            {...text('username', 'source_registry_username')}
            autoComplete="off"
          />
          <PasswordInput
            label={t.password}
            description={t.passwordHint}
            {...text('password', 'source_registry_password')}
            autoComplete="new-password"
          />
        </Group>
      </Collapse>
    </Stack>
  );
}
