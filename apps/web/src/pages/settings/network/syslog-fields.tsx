import { Checkbox, Group, Select, Switch } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { NullableTextField, SecretField } from '../../../kit/form/nullable-field.tsx';
import classes from './network.module.css';
import type { SectionFields } from './network-section.tsx';
import { CertificateFields, ServerAddressFields } from './server-fields.tsx';

const PROTOCOLS = ['udp', 'tcp', 'tcp+tls'] as const;
const FORMATS = ['rfc5424', 'rfc3164'] as const;
const FRAMINGS = ['octet-counting', 'newline'] as const;

export function SyslogFields(fields: SectionFields<'syslog'>) {
  const { value, set, faults } = fields;
  const t = useMessages('network');
  return (
    <div className={classes.grid}>
      <Switch
        label={t.on}
        checked={value.syslog_enabled}
        onChange={(event) => set({ syslog_enabled: event.currentTarget.checked })}
      />
      <ServerAddressFields
        widths={['most', 'third']}
        host={value.syslog_host}
        port={value.syslog_port}
        faults={{ host: faults.syslog_host, port: faults.syslog_port }}
        onHost={(syslog_host) => set({ syslog_host })}
        onPort={(syslog_port) => set({ syslog_port })}
      />
      <Select
        label={t.protocol}
        className={classes.half ?? ''}
        description={value.syslog_protocol === 'udp' ? t.udpHint : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={PROTOCOLS.map((value) => ({ value, label: value.toUpperCase().replace('+', ' + ') }))}
        value={value.syslog_protocol}
        allowDeselect={false}
        onChange={(chosen) =>
          set({
            syslog_protocol: PROTOCOLS.find((each) => each === chosen) ?? value.syslog_protocol,
          })
        }
      />
      <Select
        label={t.format}
        className={classes.half ?? ''}
        data={FORMATS.map((each) => ({ value: each, label: each.replace('rfc', 'RFC ') }))}
        value={value.syslog_rfc}
        allowDeselect={false}
        onChange={(chosen) =>
          set({ syslog_rfc: FORMATS.find((each) => each === chosen) ?? value.syslog_rfc })
        }
      />
      {value.syslog_protocol !== 'udp' && (
        <Select
          label={t.framing}
          className={classes.half ?? ''}
          description={t.framingHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={FRAMINGS.map((each) => ({ value: each, label: t.framings[each] }))}
          value={value.syslog_framing}
          allowDeselect={false}
          onChange={(chosen) =>
            set({
              syslog_framing: FRAMINGS.find((each) => each === chosen) ?? value.syslog_framing,
            })
          }
        />
      )}
      <Group gap="lg">
        <Checkbox
          label={t.forwardAudit}
          checked={value.syslog_forward_audit}
          onChange={(event) => set({ syslog_forward_audit: event.currentTarget.checked })}
        />
        <Checkbox
          label={t.forwardLogs}
          checked={value.syslog_forward_uvicorn}
          onChange={(event) => set({ syslog_forward_uvicorn: event.currentTarget.checked })}
        />
      </Group>
      {value.syslog_protocol === 'tcp+tls' && (
        <CertificateFields
          verify={value.syslog_tls_verify}
          authority={value.syslog_tls_ca_cert}
          fault={faults.syslog_tls_ca_cert}
          onVerify={(syslog_tls_verify) => set({ syslog_tls_verify })}
          onAuthority={(syslog_tls_ca_cert) => set({ syslog_tls_ca_cert })}
        />
      )}
      <Switch
        label={t.auth}
        description={t.authHint}
        checked={value.syslog_auth_enabled}
        onChange={(event) => set({ syslog_auth_enabled: event.currentTarget.checked })}
      />
      {value.syslog_auth_enabled && <AuthFields {...fields} />}
    </div>
  );
}

function AuthFields({ value, set, faults }: SectionFields<'syslog'>) {
  const t = useMessages('network');
  return (
    <>
      <NullableTextField
        label={t.username}
        className={classes.half}
        value={value.syslog_auth_username}
        fault={faults.syslog_auth_username}
        onChange={(syslog_auth_username) => set({ syslog_auth_username })}
      />
      <SecretField
        label={t.password}
        description={t.secretKept}
        className={classes.half}
        value={value.syslog_auth_password}
        fault={faults.syslog_auth_password}
        onChange={(syslog_auth_password) => set({ syslog_auth_password })}
      />
      {value.syslog_protocol === 'tcp+tls' && (
        <>
          <NullableTextField
            label={t.clientCert}
            className={classes.half}
            value={value.syslog_tls_client_cert}
            fault={faults.syslog_tls_client_cert}
            onChange={(syslog_tls_client_cert) => set({ syslog_tls_client_cert })}
          />
          <NullableTextField
            label={t.clientKey}
            className={classes.half}
            value={value.syslog_tls_client_key}
            fault={faults.syslog_tls_client_key}
            onChange={(syslog_tls_client_key) => set({ syslog_tls_client_key })}
          />
        </>
      )}
    </>
  );
}
