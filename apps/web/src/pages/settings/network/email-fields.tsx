/** The fields of the e-mail server. */
import { Checkbox, Group, Input, Switch, TagsInput, TextInput } from '@mantine/core';
import type { NetworkConfig } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { SecretField } from '../../../kit/form/secret-field.tsx';
import classes from './network.module.css';
import { CertificateFields, ServerAddressFields } from './server-fields.tsx';

const HALF = { className: classes.half ?? '' };

export function EmailFields(fields: Fields<NetworkConfig['email']>) {
  const { value, optional, check, number, pick, tags } = fields;
  const t = useMessages('network');
  return (
    <div className={classes.grid}>
      <Switch label={t.on} {...check('enabled')} />
      <ServerAddressFields
        widths={['half', 'sixth']}
        host={optional('host')}
        port={number('port')}
      />
      <ChoiceSelect
        label={t.security}
        className={classes.third ?? ''}
        names={t.securities}
        {...pick('security')}
      />
      <TextInput label={t.username} {...HALF} {...optional('username')} />
      <SecretField
        label={t.password}
        description={t.secretKept}
        {...HALF}
        {...optional('password')}
      />
      {value.security !== 'none' && (
        <CertificateFields verify={check('tls_verify')} authority={optional('tls_ca_cert')} />
      )}
      <TextInput
        label={t.from}
        placeholder="Portcullis <portcullis@example.org>"
        {...HALF}
        {...optional('from_address')}
      />
      <TextInput
        label={t.ehloName}
        placeholder="portcullis.example.org"
        {...HALF}
        {...optional('ehlo_name')}
      />
      <TagsInput label={t.to} description={t.toHint} {...HALF} {...tags('to_addresses')} />
      <Input.Wrapper label={t.notifyLabel} labelElement="div">
        <Group gap="lg" mt={4}>
          <Checkbox label={t.notifyLogin} {...check('notify_login')} />
          <Checkbox label={t.notifyAudit} {...check('notify_audit')} />
        </Group>
      </Input.Wrapper>
    </div>
  );
}
