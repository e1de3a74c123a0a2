/** What administrators do with a webhook and its deliveries. */
import type { Webhook } from '@portcullis/contract';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useAct } from '../../../kit/action/use-act.ts';

type Named = Pick<Webhook, 'id' | 'name'>;

const changes = [
  'webhooks.getWebhook',
  'webhooks.listWebhooks',
  'webhooks.listDeliveries',
  'webhooks.getDelivery',
] as const;

export function useEnabling({ id }: Named) {
  const t = useMessages('webhooks');
  return useAct({
    run: (enabled: boolean) =>
      call('webhooks.updateWebhook', { params: { id }, body: { enabled } }),
    done: ({ name, enabled }) => (enabled ? t.wasEnabled(name) : t.wasDisabled(name)),
    changes,
  });
}

export function useTest({ id }: Named) {
  const t = useMessages('webhooks');
  const run = () => call('webhooks.testWebhook', { params: { id } });
  return useAct({ run, done: () => t.tested, changes });
}

export function useReplay({ id }: Named) {
  const t = useMessages('webhooks');
  return useAct({
    run: (deliveryId: string) =>
      call('webhooks.replayDelivery', { params: { id, delivery_id: deliveryId } }),
    done: () => t.replayed,
    changes,
  });
}
