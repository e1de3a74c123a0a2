/** Fields that the e-mail and syslog servers share: address and certificate verification. */

import { NumberInput, Switch } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { NullableTextField } from '../../../kit/form/nullable-field.tsx';
import classes from './network.module.css';

interface ServerAddressFieldsProps {
  widths: readonly [host: keyof typeof classes, port: keyof typeof classes];
  host: string | null;
  port: number;
  faults: { host: string | undefined; port: string | undefined };
  onHost(host: string | null): void;
  onPort(port: number): void;
}

export function ServerAddressFields({
  widths,
  host,
  port,
  faults,
  onHost,
  onPort,
}: ServerAddressFieldsProps) {
  const t = useMessages('network');
  const [hostWidth, portWidth] = widths;
  return (
    <>
      <NullableTextField
        label={t.host}
        className={classes[hostWidth]}
        value={host}
        fault={faults.host}
        onChange={onHost}
      />
      <NumberInput
        label={t.port}
        className={classes[portWidth] ?? ''}
        min={1}
        max={65_535}
        hideControls
        value={port}
        error={faults.port}
        onChange={(typed) => onPort(Number(typed))}
      />
    </>
  );
}

interface CertificateFieldsProps {
  verify: boolean;
  authority: string | null;
  fault: string | undefined;
  onVerify(verify: boolean): void;
  onAuthority(path: string | null): void;
}

export function CertificateFields({
  verify,
  authority,
  fault,
  onVerify,
  onAuthority,
}: CertificateFieldsProps) {
  const t = useMessages('network');
  return (
    <>
      <Switch
        label={t.verify}
        {...(!verify && { description: t.verifyOff })}
        checked={verify}
        onChange={(event) => onVerify(event.currentTarget.checked)}
      />
      <NullableTextField
        label={t.caCert}
        description={t.pathHint}
        placeholder="/etc/ssl/certs/corp.pem"
        value={authority}
        fault={fault}
        onChange={onAuthority}
      />
    </>
  );
}
