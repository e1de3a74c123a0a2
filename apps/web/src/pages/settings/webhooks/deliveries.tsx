/** What a webhook has to deliver and has delivered, newest first. */
import type { Webhook } from '@portcullis/contract';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { state as stateOf } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { useDeliveryColumns } from './delivery-columns.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';

const VIEWS = ['all', 'waiting', 'failed', 'delivered'] as const;
const CONDITIONS = {
  all: {},
  waiting: { state: 'waiting' },
  failed: { state: 'failed' },
  delivered: { state: 'delivered' },
} as const;

/** Deliveries that wait are usually attempted within seconds. */
const SOON_MS = 2_000;
const LATER_MS = 30_000;

const DELIVERIES = defineList({
  operation: 'webhooks.listDeliveries',
  filter: defineFilter({ view: stateOf('state', CONDITIONS, 'all') }),
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
          value={list.state.view}
          onChange={(view) => list.change({ view })}
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
