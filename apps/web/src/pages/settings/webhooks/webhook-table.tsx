/** The list of webhooks. */
import type { Webhook } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { WebhookState } from './webhook-state.tsx';
import { useAttemptText, useKindsText } from './webhook-words.ts';

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return <DataTable rows={webhooks} columns={useColumns()} keyOf={({ id }) => id} />;
}

function useColumns(): Column<Webhook>[] {
  const t = useMessages('webhooks');
  const kindsText = useKindsText();
  return [
    {
      id: 'name',
      title: t.name,
      cell: ({ id, name, url }) => (
        <>
          <Link to={`/settings/webhooks/${id}`} className={table.name}>
            {name}
          </Link>
          <span className={table.under}>{url}</span>
        </>
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
    {
      id: 'lastDelivery',
      title: t.lastDelivery,
      label: t.lastDelivery,
      className: table.quiet,
      cell: ({ last_attempt: attempt }) => <LastAttempt attempt={attempt} />,
    },
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
