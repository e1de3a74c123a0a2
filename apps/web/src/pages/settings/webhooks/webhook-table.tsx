/** The list of webhooks. */
import type { Webhook } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { WebhookState } from './webhook-state.tsx';
import { useAttemptText, useKindsText } from './webhook-words.ts';

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useMessages('webhooks');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.events}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.lastDelivery}</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const kindsText = useKindsText();
  return (
    <tr>
      <td>
        <Link to={`/settings/webhooks/${webhook.id}`} className={table.name}>
          {webhook.name}
        </Link>
        <span className={table.under}>{webhook.url}</span>
      </td>
      <td className={table.quiet}>
        {kindsText(webhook.kinds)}
        <span className={table.under}>
          {webhook.folder === null ? t.everywhere : t.ofFolder(webhook.folder)}
        </span>
      </td>
      <td>
        <WebhookState webhook={webhook} />
      </td>
      <td className={table.quiet} data-label={t.lastDelivery}>
        <LastAttempt attempt={webhook.last_attempt} />
      </td>
    </tr>
  );
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
