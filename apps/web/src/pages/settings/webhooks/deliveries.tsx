/** What a webhook has to deliver and has delivered, newest first. */

import { Group, Stack } from '@mantine/core';
import type { Webhook, WebhookDeliveryDetail } from '@portcullis/contract';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { ChoiceField } from '../../../kit/form/choices.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { type Fact, FactList, Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { SideDrawer } from '../../../kit/layout/side-drawer.tsx';
import { choice } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { Preformatted } from '../../../kit/text/preformatted.tsx';
import { ReplayButton, useDeliveryColumns } from './delivery-columns.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { useAttemptText, useKindText } from './webhook-words.ts';

const STATES = ['waiting', 'failed', 'delivered'] as const;
const VIEWS = ['all', ...STATES] as const;

/** Deliveries that wait are usually attempted within seconds. */
const SOON_MS = 2_000;
const LATER_MS = 30_000;

const DELIVERIES = defineList({
  operation: 'webhooks.listDeliveries',
  filter: defineFilter({ state: choice('state', STATES, (state) => ({ state })) }),
  keyOf: ({ id }) => id,
  refresh: (rows) => (rows.some(({ state }) => state === 'waiting') ? SOON_MS : LATER_MS),
});

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const [opened, setOpened] = useState<string | null>(null);
  const list = useList(DELIVERIES, { params: { id: webhook.id } });
  return (
    <Panel
      title={t.deliveries}
      description={t.deliveriesLead}
      actions={
        <ChoiceField
          label={t.state}
          values={VIEWS}
          names={t.views}
          value={list.state.state ?? 'all'}
          onChange={(view) => list.change({ state: view === 'all' ? null : view })}
        />
      }
      flush
    >
      <ListView
        panel
        list={list}
        columns={useDeliveryColumns(webhook, setOpened)}
        words={t}
        empty={<EmptyState icon={IconSend} title={t.noDeliveriesTitle} text={t.noDeliveriesText} />}
      />
      <DeliveryDrawer webhook={webhook} id={opened} onClose={() => setOpened(null)} />
    </Panel>
  );
}

interface DeliveryDrawerProps {
  webhook: Webhook;
  /** Null: closed. */
  id: string | null;
  onClose(): void;
}

/** One delivery: how its attempts ended, and its body. */
function DeliveryDrawer({ webhook, id, onClose }: DeliveryDrawerProps) {
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
  const delivery = useAnswer('webhooks.getDelivery', { params }, { refetchInterval: REFRESH_MS });
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
  const [t, format] = useWords('webhooks');
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
