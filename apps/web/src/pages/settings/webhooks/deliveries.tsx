/** What a webhook has to deliver and has delivered, newest first. */
import type { Webhook, WebhookDelivery } from '@portcullis/contract';
import { IconFilterOff, IconSend } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf, page } from '../../../api/api.ts';
import { BY_CURSOR } from '../../../api/list-pages.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import classes from './webhooks.module.css';

const VIEWS = ['all', 'waiting', 'failed', 'delivered'] as const;
type View = (typeof VIEWS)[number];

/** Deliveries that wait are usually attempted within seconds. */
const SOON_MS = 2_000;
const LATER_MS = 30_000;

function useDeliveries({ id }: Webhook, view: View) {
  const query = view === 'all' ? {} : { state: view };
  return useInfiniteQuery({
    queryKey: [...keyOf('webhooks.listDeliveries', { params: { id }, query }), 'pages'],
    queryFn: ({ pageParam }) =>
      page('webhooks.listDeliveries', { params: { id }, query: { ...query, cursor: pageParam } }),
    ...BY_CURSOR,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.items.some(({ state }) => state === 'waiting') ? SOON_MS : LATER_MS,
  });
}

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const [view, setView] = useState<View>('all');
  const [opened, setOpened] = useState<string | null>(null);
  const pages = useDeliveries(webhook, view);
  return (
    <Panel
      title={t.deliveries}
      description={t.deliveriesLead}
      actions={
        <ChoiceField<View>
          label={t.state}
          values={VIEWS}
          names={t.views}
          value={view}
          onChange={setView}
        />
      }
      flush
    >
      <QueryView query={pages} rows={4}>
        {(data) => {
          const found: WebhookDelivery[] = data.pages.flatMap(({ items }) => items);
          if (found.length === 0) return <NoDeliveries view={view} />;
          return (
            <>
              <DeliveryTable webhook={webhook} deliveries={found} onOpen={setOpened} />
              <MoreButton pages={pages} className={classes.more ?? ''}>
                {t.more}
              </MoreButton>
            </>
          );
        }}
      </QueryView>
      <DeliveryDrawer webhook={webhook} id={opened} onClose={() => setOpened(null)} />
    </Panel>
  );
}

function NoDeliveries({ view }: { view: View }) {
  const t = useMessages('webhooks');
  if (view !== 'all')
    return <EmptyState icon={IconFilterOff} title={t.noMatchTitle} text={t.noMatchText} />;
  return <EmptyState icon={IconSend} title={t.noDeliveriesTitle} text={t.noDeliveriesText} />;
}
