/** The state of a webhook as a badge. */
import type { Webhook } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Badge } from '../../../kit/verdict/badge.tsx';

interface WebhookStateProps {
  webhook: Pick<Webhook, 'enabled' | 'disabled_reason' | 'failing_since'>;
}

export function WebhookState({ webhook }: WebhookStateProps) {
  const [t, format] = useWords('webhooks');
  const { enabled, disabled_reason: reason, failing_since: since } = webhook;
  if (!enabled)
    return (
      <>
        <Badge tone={reason === null ? 'unknown' : 'critical'}>{t.disabled}</Badge>
        {reason !== null && <span className={table.under}>{t.reasons[reason]}</span>}
      </>
    );
  if (since === null) return <Badge tone="good">{t.enabled}</Badge>;
  return (
    <>
      <Badge tone="high">{t.failing}</Badge>
      <span className={table.under}>
        {t.since} <time dateTime={since}>{format.dateTime(since)}</time>
      </span>
    </>
  );
}
