import {
  Checkbox,
  Fieldset,
  Group,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Registry } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import { usePolicyChoices } from '../settings/policies/policy-choices.ts';
import type { RegistryForm } from './registry-form.ts';

interface RegistryFieldsProps {
  form: RegistryForm;
  set(change: Partial<RegistryForm>): void;
  /** By field path. */
  faults: Record<string, string>;
  registry: Registry | null;
  passwordAgain: boolean;
}

const PLAIN = { spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } as const;

export function RegistryFields(props: RegistryFieldsProps) {
  const t = useMessages('registries');
  const { form, set, faults, registry } = props;
  return (
    <>
      <TextInput
        label={t.name}
        placeholder={t.namePlaceholder}
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={faults.name}
        data-autofocus
        required
      />
      <TextInput
        label={t.host}
        placeholder="registry.example.com"
        description={t.hostHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={form.host}
        onChange={(event) => set({ host: event.currentTarget.value })}
        error={faults.host}
        {...PLAIN}
        required
      />
      <Credentials {...props} />
      {registry === null && <Everybody form={form} set={set} />}
      <Transport {...props} />
      <Places {...props} />
      {useAccount().is_admin && <PushPolicy form={form} set={set} />}
    </>
  );
}

function Credentials({ form, set, faults, registry, passwordAgain }: RegistryFieldsProps) {
  const t = useMessages('registries');
  const kept = registry?.has_password === true && form.password === '' && form.username !== '';
  return (
    <Group grow align="flex-start">
      <TextInput
        label={t.username}
        value={form.username}
        onChange={(event) => set({ username: event.currentTarget.value })}
        error={faults.username}
        {...PLAIN}
      />
      <PasswordInput
        label={t.password}
        value={form.password}
        onChange={(event) => set({ password: event.currentTarget.value })}
        error={faults.password ?? (passwordAgain ? t.passwordAgain : null)}
        description={kept && !passwordAgain ? t.passwordKept : null}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="new-password"
      />
    </Group>
  );
}

function Places({ form, set, faults }: RegistryFieldsProps) {
  const t = useMessages('registries');
  const tokenFault = Object.entries(faults).find(([path]) => path.startsWith('token_hosts'));
  return (
    <>
      <TextInput
        label={t.pushNamespace}
        description={t.pushNamespaceHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={form.pushNamespace}
        onChange={(event) => set({ pushNamespace: event.currentTarget.value })}
        error={faults.push_namespace}
        {...PLAIN}
      />
      <TextInput
        label={t.tokenHosts}
        description={t.tokenHostsHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={form.tokenHosts}
        onChange={(event) => set({ tokenHosts: event.currentTarget.value })}
        error={tokenFault?.[1]}
        {...PLAIN}
      />
    </>
  );
}

function PushPolicy({ form, set }: Pick<RegistryFieldsProps, 'form' | 'set'>) {
  const t = useMessages('registries');
  const { choices, chosenOf, idOf } = usePolicyChoices();
  return (
    <Select
      label={t.policy}
      description={t.policyHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={choices}
      value={chosenOf(form.policyId)}
      onChange={(chosen) => set({ policyId: idOf(chosen) })}
      allowDeselect={false}
    />
  );
}

function Everybody({ form, set }: Pick<RegistryFieldsProps, 'form' | 'set'>) {
  const t = useMessages('registries');
  const { is_admin } = useAccount();
  return (
    <Checkbox
      label={t.forEverybody}
      description={is_admin ? t.forEverybodyHint : t.onlyAdmins}
      checked={form.global}
      disabled={!is_admin}
      onChange={(event) => set({ global: event.currentTarget.checked })}
    />
  );
}

function Transport({ form, set, faults }: RegistryFieldsProps) {
  const t = useMessages('registries');
  return (
    <Fieldset legend={t.security}>
      <Stack gap="sm">
        <Switch
          label={t.useTls}
          description={form.useTls ? null : t.useTlsHint}
          checked={form.useTls}
          onChange={(event) => set({ useTls: event.currentTarget.checked })}
        />
        {form.useTls && (
          <>
            <Switch
              label={t.tlsVerify}
              description={form.tlsVerify ? null : t.tlsVerifyHint}
              checked={form.tlsVerify}
              onChange={(event) => set({ tlsVerify: event.currentTarget.checked })}
            />
            {form.tlsVerify && (
              <Textarea
                label={t.caCert}
                description={t.caCertHint}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                placeholder="-----BEGIN CERTIFICATE-----"
                value={form.caCert}
                onChange={(event) => set({ caCert: event.currentTarget.value })}
                error={faults.ca_cert}
                autosize
                minRows={2}
                maxRows={8}
                spellCheck={false}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              />
            )}
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
