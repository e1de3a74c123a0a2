/** Sends a test message, and says what became of it. */
import { Button, Group, Text } from '@mantine/core';
import type { Delivery } from '@portcullis/contract';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Log } from '../../../kit/text/preformatted.tsx';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';
import type { DeliveryTry } from './delivery.ts';
import { DeliveryFault } from './delivery-fault.tsx';
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
        {why && (
          <Text size="sm" c="dimmed">
            {why}
          </Text>
        )}
      </Group>
      <div aria-live="polite">
        <FaultAlert error={attempt.error} />
        {attempt.data && <DeliveryResult delivery={attempt.data} />}
      </div>
    </div>
  );
}

function DeliveryResult({ delivery }: { delivery: Delivery }) {
  const t = useMessages('network');
  const format = useFormat();
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
