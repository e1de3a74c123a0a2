/** The fields of a saved registry. */
import {
  Checkbox,
  Fieldset,
  Group,
  PasswordInput,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Registry } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import type { Fields } from '../../kit/form/fields.ts';
import { useAccount } from '../../session/account.ts';
import { PolicySelect } from '../settings/policies/policy-select.tsx';
import { needsPasswordAgain, type RegistryForm } from './registry-form.ts';

interface RegistryFieldsProps extends Fields<RegistryForm> {
  registry: Registry | null;
}

const PLAIN = { spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } as const;

export function RegistryFields(props: RegistryFieldsProps) {
  const t = useMessages('registries');
  const { is_admin } = useAccount();
  const { text, check, pick, registry } = props;
  return (
    <>
      <TextInput
        label={t.name}
        placeholder={t.namePlaceholder}
        {...text('name')}
        data-autofocus
        required
      />
      <TextInput
        label={t.host}
        placeholder="registry.example.com"
        description={t.hostHint}
        {...text('host')}
        {...PLAIN}
        required
      />
      <Credentials {...props} />
      {registry === null && (
        <Checkbox
          label={t.forEverybody}
          description={is_admin ? t.forEverybodyHint : t.onlyAdmins}
          {...check('global', 'owner')}
          disabled={!is_admin}
        />
      )}
      <Transport {...props} />
      <TextInput
        label={t.pushNamespace}
        description={t.pushNamespaceHint}
        {...text('pushNamespace')}
        {...PLAIN}
      />
      <TextInput
        label={t.tokenHosts}
        description={t.tokenHostsHint}
        {...text('tokenHosts')}
        {...PLAIN}
      />
      {is_admin && (
        <PolicySelect label={t.policy} description={t.policyHint} {...pick('policyId')} />
      )}
    </>
  );
}

function Credentials({ value, text, registry }: RegistryFieldsProps) {
  const t = useMessages('registries');
  const { username, password } = value;
  const isKept = registry?.has_password === true && password === '' && username !== '';
  const again = needsPasswordAgain(value, registry);
  const field = text('password');
  return (
    <Group grow align="flex-start">
      <TextInput label={t.username} {...text('username')} {...PLAIN} />
      <PasswordInput
        label={t.password}
        {...field}
        error={field.error ?? (again ? t.passwordAgain : null)}
        description={isKept && !again ? t.passwordKept : null}
        autoComplete="new-password"
      />
    </Group>
  );
}

function Transport({ value: { useTls, tlsVerify }, check, text }: RegistryFieldsProps) {
  const t = useMessages('registries');
  return (
    <Fieldset legend={t.security}>
      <Stack gap="sm">
        <Switch label={t.useTls} description={useTls ? null : t.useTlsHint} {...check('useTls')} />
        {useTls && (
          <Switch
            label={t.tlsVerify}
            description={tlsVerify ? null : t.tlsVerifyHint}
            {...check('tlsVerify')}
          />
        )}
        {useTls && tlsVerify && (
          <Textarea
            label={t.caCert}
            description={t.caCertHint}
            placeholder="-----BEGIN CERTIFICATE-----"
            {...text('caCert')}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        )}
      </Stack>
    </Fieldset>
  );
}
