/** Fields that the e-mail and syslog servers share: address and certificate verification. */
import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import type { Bound } from '../../../kit/form/fields.ts';
import classes from './network.module.css';

interface ServerAddressFieldsProps {
  widths: readonly [host: keyof typeof classes, port: keyof typeof classes];
  host: Bound<'optional'>;
  port: Bound<'number'>;
}

export function ServerAddressFields({ widths, host, port }: ServerAddressFieldsProps) {
  const t = useMessages('network');
  const [hostWidth, portWidth] = widths;
  return (
    <>
      <TextInput label={t.host} className={classes[hostWidth] ?? ''} {...host} />
      <NumberInput label={t.port} className={classes[portWidth] ?? ''} hideControls {...port} />
    </>
  );
}

interface CertificateFieldsProps {
  verify: Bound<'check'>;
  authority: Bound<'optional'>;
}

export function CertificateFields({ verify, authority }: CertificateFieldsProps) {
  const t = useMessages('network');
  return (
    <>
      <Switch label={t.verify} {...(!verify.checked && { description: t.verifyOff })} {...verify} />
      <TextInput
        label={t.caCert}
        description={t.pathHint}
        placeholder="/etc/ssl/certs/corp.pem"
        {...authority}
      />
    </>
  );
}
