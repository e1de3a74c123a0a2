/** One delivery: how its attempts ended, and its body. */
import { Group, Stack } from '@mantine/core';
import type { Webhook, WebhookDeliveryDetail } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { type Fact, FactList } from '../../../kit/layout/fact-list.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { SideDrawer } from '../../../kit/layout/side-drawer.tsx';
import { Preformatted } from '../../../kit/text/preformatted.tsx';
import { ReplayButton } from './delivery-columns.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { useAttemptText, useKindText } from './webhook-words.ts';

interface DeliveryDrawerProps {
  webhook: Webhook;
  /** Null: closed. */
  id: string | null;
  onClose(): void;
}

export function DeliveryDrawer({ webhook, id, onClose }: DeliveryDrawerProps) {
  const t = useMessages('webhooks');
  return (
    <SideDrawer opened={id !== null} onClose={onClose} size={560} title={t.delivery}>
      {id !== null && <OneDelivery key={id} webhook={webhook} id={id} />}
    </SideDrawer>
  );
}

const REFRESH_MS = 5_000;

function OneDelivery({ webhook, id }: { webhook: Webhook; id: string }) {
  const params = { id: webhook.id, delivery_id: id };
  const delivery = useQuery({
    ...ask('webhooks.getDelivery', { params }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <QueryView query={delivery} rows={4} rowHeight={50}>
      {(found) => (
        <Stack>
          <Facts delivery={found} />
          <Group>
            <ReplayButton webhook={webhook} delivery={found} />
          </Group>
          <Body text={found.body} />
        </Stack>
      )}
    </QueryView>
  );
}

function Facts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  return <FactList facts={useFacts(delivery)} />;
}

function useFacts(delivery: WebhookDeliveryDetail): Fact[] {
  const t = useMessages('webhooks');
  const format = useFormat();
  const kind = useKindText();
  const end = useAttemptText();
  const { attempted_at: attempted, next_attempt_at: next, duration_ms: took } = delivery;
  return [
    [t.event, kind(delivery.kind)],
    [t.state, <DeliveryState key="state" delivery={delivery} />],
    [t.lastAnswer, attempted === null ? null : end(delivery)],
    [t.attempts, format.number(delivery.attempts)],
    [t.lastAttempt, attempted && format.dateTime(attempted)],
    [t.nextAttempt, next && format.dateTime(next)],
    [t.duration, took === null ? null : format.milliseconds(took)],
    [t.created, format.dateTime(delivery.created_at)],
    [t.eventId, <code key="id">{delivery.event_id}</code>],
  ];
}

function Body({ text }: { text: string }) {
  const t = useMessages('webhooks');
  return (
    <div>
      <Group gap={4}>
        <strong>{t.body}</strong>
        <CopyButton text={text} />
      </Group>
      <Preformatted>{JSON.stringify(JSON.parse(text), null, 2)}</Preformatted>
    </div>
  );
}
