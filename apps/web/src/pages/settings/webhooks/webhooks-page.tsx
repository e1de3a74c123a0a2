/** The page *Webhooks*: the list, and the drawer for a new one. */
import type { Webhook } from '@portcullis/contract';
import { IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { useWholeList, type WholeList } from '../../../kit/list/use-whole-list.ts';
import { entryKey } from '../../../kit/selection/entry.ts';
import { type Column, quiet, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { NewWebhookDrawer } from './webhook-drawer.tsx';
import { WebhookState } from './webhook-state.tsx';
import { useAttemptText, useKindsText } from './webhook-words.ts';

const WEBHOOKS: WholeList<Webhook> = { keyOf: entryKey };
const REFRESH_MS = 30_000;

export function Component() {
  const t = useMessages('webhooks');
  const webhooks = useAnswer('webhooks.listWebhooks', undefined, { refetchInterval: REFRESH_MS });
  const [creating, setCreating] = useState(false);
  const button = <NewButton onClick={() => setCreating(true)}>{t.add}</NewButton>;
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {webhooks.data?.length ? button : null}
      </PageHead>
      <ListView
        list={useWholeList(webhooks, WEBHOOKS)}
        columns={useColumns()}
        rowHeight={62}
        empty={
          <EmptyState icon={IconWebhook} title={t.emptyTitle} text={t.emptyText}>
            {button}
          </EmptyState>
        }
      />
      <NewWebhookDrawer opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function useColumns(): Column<Webhook>[] {
  const t = useMessages('webhooks');
  const kindsText = useKindsText();
  return [
    {
      id: 'name',
      title: t.name,
      cell: ({ id, name, url }) => (
        <RowName to={`/settings/webhooks/${id}`} under={url}>
          {name}
        </RowName>
      ),
    },
    {
      id: 'events',
      title: t.events,
      className: table.quiet,
      cell: ({ kinds, folder }) => (
        <>
          {kindsText(kinds)}
          <span className={table.under}>{folder === null ? t.everywhere : t.ofFolder(folder)}</span>
        </>
      ),
    },
    { id: 'state', title: t.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    quiet({
      id: 'lastDelivery',
      title: t.lastDelivery,
      cell: ({ last_attempt: attempt }) => <LastAttempt attempt={attempt} />,
    }),
  ];
}

function LastAttempt({ attempt }: { attempt: Webhook['last_attempt'] }) {
  const t = useMessages('webhooks');
  const text = useAttemptText();
  if (attempt === null) return t.never;
  return (
    <>
      <RelativeTime at={attempt.at} />
      <span className={table.under}>{text(attempt)}</span>
    </>
  );
}
