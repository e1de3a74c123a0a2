/** Sends a test message, and says what became of it. */
import { Button, Group, Text } from '@mantine/core';
import type { Delivery } from '@portcullis/contract';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { ServerDetails, useKnownFaultText } from '../../../kit/fault/job-fault.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Log } from '../../../kit/text/preformatted.tsx';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';
import type { DeliveryTry } from './delivery.ts';
import classes from './network.module.css';

interface DeliveryTestsProps {
  deliveries: DeliveryTry[];
  /** Why testing is not possible now. */
  why: string | null;
}

export function DeliveryTests({ deliveries, why }: DeliveryTestsProps) {
  const attempt = useMutation({ mutationFn: ({ run }: DeliveryTry) => run() });
  return (
    <div className={classes.tests}>
      <Group gap="xs" className={classes.buttons ?? ''}>
        {deliveries.map((delivery) => (
          <Button
            key={delivery.label}
            variant="default"
            leftSection={<IconSend size={15} />}
            disabled={why !== null}
            loading={attempt.isPending && attempt.variables === delivery}
            onClick={() => attempt.mutate(delivery)}
          >
            {delivery.label}
          </Button>
        ))}
        {why && <Dimmed>{why}</Dimmed>}
      </Group>
      <div aria-live="polite">
        <FaultAlert error={attempt.error} />
        {attempt.data && <DeliveryResult delivery={attempt.data} />}
      </div>
    </div>
  );
}

function DeliveryResult({ delivery }: { delivery: Delivery }) {
  const [t, format] = useWords('network');
  const [tone, text]: [Tone, string] =
    delivery.delivered === null
      ? ['unknown', t.unknown]
      : delivery.delivered
        ? ['good', t.delivered]
        : ['critical', t.notDelivered];
  return (
    <div className={classes.truth}>
      <Badge tone={tone}>{text}</Badge>
      {delivery.error && <DeliveryFault delivery={delivery} />}
      {delivery.recipients && (
        <ul>
          {delivery.recipients.map(({ address, accepted }) => (
            <li key={address}>
              {address}
              {format.colon}
              {accepted ? t.accepted : t.refused}
            </li>
          ))}
        </ul>
      )}
      <Log title={t.transcript} lines={delivery.transcript} open={delivery.delivered === false} />
    </div>
  );
}

/** Says why the server did not get the message; its own answer is below. */
function DeliveryFault({ delivery }: { delivery: Delivery }) {
  const t = useMessages('delivery');
  const words = useDeliveryFaultText();
  const { code = '', params = {}, error = '' } = delivery;
  const known = words(code, params);
  return (
    <>
      <Text mt={6}>{known ?? t.faults.DELIVERY_FAILED}</Text>
      {params.answer !== undefined && (
        <Dimmed>
          {t.answer} <q lang="en">{params.answer}</q>
        </Dimmed>
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
