/** The page *Webhooks*: the list, and the drawer for a new one. */
import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { NewWebhookDrawer } from './webhook-drawer.tsx';
import { WebhookTable } from './webhook-table.tsx';

const REFRESH_MS = 30_000;

export function Component() {
  const t = useMessages('webhooks');
  const webhooks = useQuery({ ...ask('webhooks.listWebhooks'), refetchInterval: REFRESH_MS });
  const [creating, setCreating] = useState(false);
  useShortcut('n', t.add, () => setCreating(true));
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {webhooks.data?.length ? button : null}
      </PageHead>
      <QueryView query={webhooks} rowHeight={62}>
        {(all) =>
          all.length > 0 ? (
            <WebhookTable webhooks={all} />
          ) : (
            <EmptyState icon={IconWebhook} title={t.emptyTitle} text={t.emptyText}>
              {button}
            </EmptyState>
          )
        }
      </QueryView>
      <NewWebhookDrawer opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}
