/** One webhook: its state, what it sends, and its deliveries. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import type { Webhook } from '@portcullis/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { FactList, Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { Deliveries } from './deliveries.tsx';
import { useEnabling } from './use-webhook-actions.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhook-state.tsx';
import { useKindsText } from './webhook-words.ts';

const REFRESH_MS = 10_000;

export function Component() {
  const t = useMessages('webhooks');
  const { webhookId: id = '' } = useParams();
  const webhook = useAnswer(
    'webhooks.getWebhook',
    { params: { id } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.title, to: '/settings/webhooks' }]} />
      <QueryView query={webhook} rows={3} rowHeight={120}>
        {(found) => (
          <>
            <PageHead title={found.name} description={found.url}>
              <WebhookActions webhook={found} />
            </PageHead>
            <Stack>
              <Notice webhook={found} />
              <Facts webhook={found} />
              <Deliveries webhook={found} />
            </Stack>
          </>
        )}
      </QueryView>
    </>
  );
}

/** Why it was disabled, or will be, and what to do. */
function Notice({ webhook }: { webhook: Webhook }) {
  const [t, format] = useWords('webhooks');
  const enabling = useEnabling(webhook);
  const { enabled, disabled_reason: reason, failing_since: since } = webhook;
  const icon = <IconAlertTriangle size={18} />;
  if (reason !== null)
    return (
      <Alert color="red" variant="light" icon={icon}>
        <Stack gap="xs" align="flex-start">
          <NoticeText title={t.reasons[reason]}>{t.disabledText}</NoticeText>
          <Button size="xs" loading={enabling.isPending} onClick={() => enabling.mutate(true)}>
            {t.enable}
          </Button>
        </Stack>
      </Alert>
    );
  if (!enabled || since === null) return null;
  return (
    <Alert color="orange" variant="light" icon={icon}>
      <NoticeText title={t.failingTitle}>
        {t.failingText(format.dateTime(dayAfter(since)))}
      </NoticeText>
    </Alert>
  );
}

/** In the colour of text: a title in the alert's own colour is too faint. */
function NoticeText({ title, children }: { title: string; children: string }) {
  return (
    <Text size="sm" c="var(--mantine-color-text)">
      <strong>{title}.</strong> {children}
    </Text>
  );
}

const DAY_MS = 86_400_000;

function dayAfter(time: string): string {
  return new Date(Date.parse(time) + DAY_MS).toISOString();
}

function Facts({ webhook }: { webhook: Webhook }) {
  const [t, format] = useWords('webhooks');
  const kinds = useKindsText();
  const { folder, previous_secret_until: until } = webhook;
  const overlaps = until !== null && Date.parse(until) > Date.now();
  return (
    <Panel title={t.settings}>
      <FactList
        facts={[
          [t.state, <WebhookState key="state" webhook={webhook} />],
          [t.events, kinds(webhook.kinds)],
          [t.folder, folder ?? t.everywhere],
          [t.format, t.formats[webhook.format]],
          [t.createdBy, `${webhook.created_by}, ${format.date(webhook.created_at)}`],
          [t.secret, overlaps ? t.formerSecret(format.dateTime(until)) : null],
        ]}
      />
    </Panel>
  );
}
