import { Checkbox, Group, Input, Select, Switch, TagsInput } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { NullableTextField, SecretField } from '../../../kit/form/nullable-field.tsx';
import classes from './network.module.css';
import type { SectionFields } from './network-section.tsx';
import { CertificateFields, ServerAddressFields } from './server-fields.tsx';

const SECURITIES = ['starttls', 'ssl', 'none'] as const;

export function EmailFields(fields: SectionFields<'email'>) {
  const { value, set, faults } = fields;
  const t = useMessages('network');
  return (
    <div className={classes.grid}>
      <Switch
        label={t.on}
        checked={value.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <Server {...fields} />
      <NullableTextField
        label={t.from}
        className={classes.half}
        placeholder="Portcullis <portcullis@example.org>"
        value={value.from_address}
        fault={faults.from_address}
        onChange={(from_address) => set({ from_address })}
      />
      <NullableTextField
        label={t.ehloName}
        className={classes.half}
        placeholder="portcullis.example.org"
        value={value.ehlo_name}
        fault={faults.ehlo_name}
        onChange={(ehlo_name) => set({ ehlo_name })}
      />
      <TagsInput
        label={t.to}
        className={classes.half ?? ''}
        description={t.toHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        acceptValueOnBlur
        value={value.to_addresses}
        error={Object.entries(faults).find(([path]) => path.startsWith('to_addresses'))?.[1]}
        onChange={(to_addresses) => set({ to_addresses })}
      />
      <Input.Wrapper label={t.notifyLabel} labelElement="div">
        <Group gap="lg" mt={4}>
          <Checkbox
            label={t.notifyLogin}
            checked={value.notify_login}
            onChange={(event) => set({ notify_login: event.currentTarget.checked })}
          />
          <Checkbox
            label={t.notifyAudit}
            checked={value.notify_audit}
            onChange={(event) => set({ notify_audit: event.currentTarget.checked })}
          />
        </Group>
      </Input.Wrapper>
    </div>
  );
}

function Server({ value, set, faults }: SectionFields<'email'>) {
  const t = useMessages('network');
  return (
    <>
      <ServerAddressFields
        widths={['half', 'sixth']}
        host={value.host}
        port={value.port}
        faults={{ host: faults.host, port: faults.port }}
        onHost={(host) => set({ host })}
        onPort={(port) => set({ port })}
      />
      <Select
        label={t.security}
        className={classes.third ?? ''}
        data={SECURITIES.map((each) => ({ value: each, label: t.securities[each] }))}
        value={value.security}
        allowDeselect={false}
        onChange={(chosen) =>
          set({ security: SECURITIES.find((each) => each === chosen) ?? value.security })
        }
      />
      <NullableTextField
        label={t.username}
        className={classes.half}
        value={value.username}
        fault={faults.username}
        onChange={(username) => set({ username })}
      />
      <SecretField
        label={t.password}
        description={t.secretKept}
        className={classes.half}
        value={value.password}
        fault={faults.password}
        onChange={(password) => set({ password })}
      />
      {value.security !== 'none' && (
        <CertificateFields
          verify={value.tls_verify}
          authority={value.tls_ca_cert}
          fault={faults.tls_ca_cert}
          onVerify={(tls_verify) => set({ tls_verify })}
          onAuthority={(tls_ca_cert) => set({ tls_ca_cert })}
        />
      )}
    </>
  );
}
