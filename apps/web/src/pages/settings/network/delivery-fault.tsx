import { Text } from '@mantine/core';
import type { Delivery } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { ServerDetails, useKnownFaultText } from '../../../kit/fault/job-fault.tsx';

/** Says why the server did not get the message; its own answer is below. */
export function DeliveryFault({ delivery }: { delivery: Delivery }) {
  const t = useMessages('delivery');
  const words = useDeliveryFaultText();
  const { code = '', params = {}, error = '' } = delivery;
  const known = words(code, params);
  return (
    <>
      <Text mt={6}>{known ?? t.faults.DELIVERY_FAILED}</Text>
      {params.answer !== undefined && (
        <Text size="sm" c="dimmed">
          {t.answer} <q lang="en">{params.answer}</q>
        </Text>
      )}
      {(known === undefined || code === 'DELIVERY_FAILED') && error !== '' && (
        <ServerDetails>{error}</ServerDetails>
      )}
    </>
  );
}

/** Undefined for an unknown code. */
function useDeliveryFaultText() {
  const t = useMessages('delivery');
  const known = useKnownFaultText();
  const fieldName = useFieldName();
  return (code: string, { setting = '' }: Record<string, string>): string | undefined => {
    if (code === 'TLS_FILE_UNREADABLE') return t.fileUnreadable(fieldName(setting));
    const faults: Partial<Record<string, string>> = t.faults;
    return faults[code] ?? known(code);
  };
}

/** The label of a field that holds the path of a file. */
function useFieldName(): (setting: string) => string {
  const t = useMessages('network');
  const names: Partial<Record<string, string>> = {
    tls_ca_cert: t.caCert,
    syslog_tls_ca_cert: t.caCert,
    syslog_tls_client_cert: t.clientCert,
    syslog_tls_client_key: t.clientKey,
  };
  return (setting) => names[setting] ?? setting;
}
