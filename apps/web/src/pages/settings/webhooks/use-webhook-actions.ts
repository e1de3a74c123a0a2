/** What administrators do with a webhook and its deliveries. */
import type { Webhook } from '@portcullis/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';

type Named = Pick<Webhook, 'id' | 'name'>;

export function useEnabling({ id }: Named) {
  const t = useMessages('webhooks');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      call('webhooks.updateWebhook', { params: { id }, body: { enabled } }),
    async onSuccess({ name, enabled }) {
      await refresh(queries);
      notices.done(enabled ? t.wasEnabled(name) : t.wasDisabled(name));
    },
    onError: notices.fault,
  });
}

export function useTest({ id }: Named) {
  const t = useMessages('webhooks');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call('webhooks.testWebhook', { params: { id } }),
    async onSuccess() {
      await refresh(queries);
      notices.done(t.tested);
    },
    onError: notices.fault,
  });
}

export function useReplay({ id }: Named) {
  const t = useMessages('webhooks');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      call('webhooks.replayDelivery', { params: { id, delivery_id: deliveryId } }),
    async onSuccess() {
      await refresh(queries);
      notices.done(t.replayed);
    },
    onError: notices.fault,
  });
}

async function refresh(queries: QueryClient): Promise<void> {
  const names = [
    'webhooks.getWebhook',
    'webhooks.listWebhooks',
    'webhooks.listDeliveries',
    'webhooks.getDelivery',
  ] as const;
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: keyOf(name) })));
}
