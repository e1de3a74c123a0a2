/** The list of deliveries, and the button that replays one. */
import { Button } from '@mantine/core';
import type { Webhook, WebhookDelivery } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { useReplay } from './use-webhook-actions.ts';
import { useAttemptText, useKindText } from './webhook-words.ts';
import classes from './webhooks.module.css';

interface DeliveryTableProps {
  webhook: Webhook;
  deliveries: readonly WebhookDelivery[];
  onOpen(id: string): void;
}

export function DeliveryTable({ webhook, deliveries, onOpen }: DeliveryTableProps) {
  const t = useMessages('webhooks');
  return (
    <table className={`${table.table} ${table.inner}`}>
      <thead>
        <tr>
          <th scope="col">{t.event}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.attempts}</th>
          <th scope="col">{t.duration}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            webhook={webhook}
            delivery={delivery}
            onOpen={() => onOpen(delivery.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  webhook: Webhook;
  delivery: WebhookDelivery;
  onOpen(): void;
}

function Row({ webhook, delivery, onOpen }: RowProps) {
  const t = useMessages('webhooks');
  const format = useFormat();
  const kind = useKindText();
  const end = useAttemptText();
  const { attempts, duration_ms: took, attempted_at: attempted } = delivery;
  return (
    <tr>
      <td className={classes.event}>
        <button type="button" className={table.name} onClick={onOpen}>
          {kind(delivery.kind)}
        </button>
        <span className={table.under}>
          <RelativeTime at={delivery.created_at} />
        </span>
      </td>
      <td>
        <DeliveryState delivery={delivery} />
        {attempted !== null && <span className={table.under}>{end(delivery)}</span>}
      </td>
      <td className={table.quiet} data-label={t.attempts}>
        {format.number(attempts)}
        <NextAttempt at={delivery.next_attempt_at} />
      </td>
      <td className={`${table.quiet} ${table.nowrap}`} data-label={t.duration}>
        {took === null ? '–' : format.milliseconds(took)}
      </td>
      <td className={table.tools}>
        <ReplayButton webhook={webhook} delivery={delivery} />
      </td>
    </tr>
  );
}

function NextAttempt({ at }: { at: string | null }) {
  const t = useMessages('webhooks');
  if (at === null || Date.parse(at) <= Date.now()) return null;
  return (
    <span className={table.under}>
      {t.next} <RelativeTime at={at} />
    </span>
  );
}

/** In its own row, so that only its button shows that it works. */
export function ReplayButton({ webhook, delivery: { id, kind } }: Omit<RowProps, 'onOpen'>) {
  const t = useMessages('webhooks');
  const name = useKindText();
  const replay = useReplay(webhook);
  return (
    <Button
      className={table.above ?? ''}
      variant="default"
      size="xs"
      loading={replay.isPending}
      disabled={!webhook.enabled}
      aria-label={t.replayNamed(name(kind))}
      onClick={() => replay.mutate(id)}
    >
      {t.replay}
    </Button>
  );
}
