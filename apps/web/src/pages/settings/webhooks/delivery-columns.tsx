/** The columns of deliveries, and the button that replays one. */
import { Button } from '@mantine/core';
import type { Webhook, WebhookDelivery } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns, quiet, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { useReplay } from './use-webhook-actions.ts';
import { useAttemptText, useKindText } from './webhook-words.ts';
import classes from './webhooks.module.css';

type OnOpen = (id: string) => void;

export const useDeliveryColumns = defineColumns(
  'webhooks',
  (t, format, webhook: Webhook, onOpen: OnOpen): Column<WebhookDelivery>[] => [
    {
      id: 'event',
      title: t.event,
      className: classes.event,
      cell: (delivery) => <Event delivery={delivery} onOpen={onOpen} />,
    },
    {
      id: 'state',
      title: t.state,
      width: '26%',
      cell: (delivery) => <Outcome delivery={delivery} />,
    },
    quiet({
      id: 'attempts',
      title: t.attempts,
      width: '18%',
      cell: ({ attempts, next_attempt_at }) => (
        <>
          {format.number(attempts)}
          <NextAttempt at={next_attempt_at} />
        </>
      ),
    }),
    {
      id: 'duration',
      title: t.duration,
      label: t.duration,
      className: `${table.quiet} ${table.nowrap}`,
      width: '100px',
      cell: ({ duration_ms: took }) => (took === null ? '–' : format.milliseconds(took)),
    },
    {
      id: 'replay',
      title: null,
      className: table.tools,
      width: '140px',
      cell: (delivery) => <ReplayButton webhook={webhook} delivery={delivery} />,
    },
  ],
);

interface CellProps {
  delivery: WebhookDelivery;
}

function Event({ delivery, onOpen }: CellProps & { onOpen: OnOpen }) {
  const kind = useKindText();
  return (
    <RowName onOpen={() => onOpen(delivery.id)} under={<RelativeTime at={delivery.created_at} />}>
      {kind(delivery.kind)}
    </RowName>
  );
}

function Outcome({ delivery }: CellProps) {
  const end = useAttemptText();
  return (
    <>
      <DeliveryState delivery={delivery} />
      {delivery.attempted_at !== null && <span className={table.under}>{end(delivery)}</span>}
    </>
  );
}

function NextAttempt({ at }: { at: string | null }) {
  const t = useMessages('webhooks');
  if (at === null || Date.parse(at) <= Date.now()) return null;
  return (
    <span className={table.under}>
      {t.next} <RelativeTime at={at} />
    </span>
  );
}

/** In its own row, so that only its button shows that it works. */
export function ReplayButton({
  webhook,
  delivery: { id, kind },
}: CellProps & { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const name = useKindText();
  const replay = useReplay(webhook);
  return (
    <Button
      className={table.above ?? ''}
      variant="default"
      size="xs"
      loading={replay.isPending}
      disabled={!webhook.enabled}
      aria-label={t.replayNamed(name(kind))}
      onClick={() => replay.mutate(id)}
    >
      {t.replay}
    </Button>
  );
}
