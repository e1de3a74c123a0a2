/** Routes of webhooks. */
import { randomUUID } from 'node:crypto';
import { newWebhookSecret } from '@portcullis/notify';
import { webhookRoutes } from '../features/webhooks/routes.ts';
import { createWebhooksService } from '../features/webhooks/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function webhooksRoutes({ config, egress }: Connections, { store }: Shared): Route[] {
  const service = createWebhooksService({
    webhooks: store.webhooks,
    deliveries: store.webhookDeliveries,
    checkAddress: egress.checkWebhook,
    source: config.PUBLIC_URL ?? '/',
    newSecret: newWebhookSecret,
    newId: randomUUID,
    now: () => new Date(),
  });
  return webhookRoutes(service);
}
