/** What a webhook has to deliver and has delivered, newest first. */
import type { Webhook } from '@portcullis/contract';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { choice } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { defineList, useList } from '../../../kit/list/use-list.ts';
import { useDeliveryColumns } from './delivery-columns.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';

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
