/** The fields of the syslog server. */
import { Checkbox, Group, Switch, TextInput } from '@mantine/core';
import type { NetworkConfig } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { SecretField } from '../../../kit/form/secret-field.tsx';
import classes from './network.module.css';
import { CertificateFields, ServerAddressFields } from './server-fields.tsx';

const PROTOCOLS = { udp: 'UDP', tcp: 'TCP', 'tcp+tls': 'TCP + TLS' } as const;
const FORMATS = { rfc5424: 'RFC 5424', rfc3164: 'RFC 3164' } as const;
const HALF = { className: classes.half ?? '' };

type SyslogFieldsProps = Fields<NetworkConfig['syslog']>;

export function SyslogFields(fields: SyslogFieldsProps) {
  const { value, optional, check, number, pick } = fields;
  const t = useMessages('network');
  const isUdp = value.syslog_protocol === 'udp';
  return (
    <div className={classes.grid}>
      <Switch label={t.on} {...check('syslog_enabled')} />
      <ServerAddressFields
        widths={['most', 'third']}
        host={optional('syslog_host')}
        port={number('syslog_port')}
      />
      <ChoiceSelect
        label={t.protocol}
        description={isUdp && t.udpHint}
        names={PROTOCOLS}
        {...HALF}
        {...pick('syslog_protocol')}
      />
      <ChoiceSelect label={t.format} names={FORMATS} {...HALF} {...pick('syslog_rfc')} />
      {!isUdp && (
        <ChoiceSelect
          label={t.framing}
          description={t.framingHint}
          names={t.framings}
          {...HALF}
          {...pick('syslog_framing')}
        />
      )}
      <Group gap="lg">
        <Checkbox label={t.forwardAudit} {...check('syslog_forward_audit')} />
        <Checkbox label={t.forwardLogs} {...check('syslog_forward_uvicorn')} />
      </Group>
      {value.syslog_protocol === 'tcp+tls' && (
        <CertificateFields
          verify={check('syslog_tls_verify')}
          authority={optional('syslog_tls_ca_cert')}
        />
      )}
      <Switch label={t.auth} description={t.authHint} {...check('syslog_auth_enabled')} />
      {value.syslog_auth_enabled && <AuthFields {...fields} />}
    </div>
  );
}

function AuthFields({ value, optional }: SyslogFieldsProps) {
  const t = useMessages('network');
  return (
    <>
      <TextInput label={t.username} {...HALF} {...optional('syslog_auth_username')} />
      <SecretField
        label={t.password}
        description={t.secretKept}
        {...HALF}
        {...optional('syslog_auth_password')}
      />
      {value.syslog_protocol === 'tcp+tls' && (
        <>
          <TextInput label={t.clientCert} {...HALF} {...optional('syslog_tls_client_cert')} />
          <TextInput label={t.clientKey} {...HALF} {...optional('syslog_tls_client_key')} />
        </>
      )}
    </>
  );
}
