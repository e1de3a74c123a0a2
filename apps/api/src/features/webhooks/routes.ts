/** The operations on webhooks and their deliveries. */
import { changedValues, contract } from '@portcullis/contract';
import { type Principal, webhookOrigin } from '@portcullis/domain';
import type { StoredDelivery, StoredWebhook } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import { presentDetail, presentMade, presentWebhook } from './present.ts';
import type { WebhooksService } from './service.ts';

export function webhookRoutes(service: WebhooksService): Route[] {
  /** Records the name, because the id is meaningless after the deletion. */
  async function aboutSaved(call: ApiCall<Principal>, id: string): Promise<StoredWebhook> {
    call.about({ kind: 'webhook', id, name: null });
    return about(call, await service.get(call.principal, id));
  }

  return implement(contract.webhooks, {
    async listWebhooks(_, { principal }) {
      const found = await service.list(principal);
      return found.map((webhook) => presentWebhook(webhook, principal.isAdmin));
    },

    async createWebhook({ body }, call) {
      const { url, name: _, ...terms } = body;
      call.note({ ...terms, host: webhookOrigin(url) });
      const made = await service.create(call.principal, body);
      about(call, made.webhook);
      call.header('Location', `/api/webhooks/${made.webhook.id}`);
      return presentMade(made);
    },

    async getWebhook({ params }, { principal }) {
      return presentWebhook(await service.get(principal, params.id), principal.isAdmin);
    },

    async updateWebhook({ params, body }, call) {
      const saved = await aboutSaved(call, params.id);
      call.note({ changed: Object.keys(body) });
      const updated = await service.update(saved, body);
      about(call, updated);
      call.note(changedValues(notesOf(saved), notesOf(updated)));
      return presentWebhook(updated, true);
    },

    async removeWebhook({ params }, call) {
      await service.remove(await aboutSaved(call, params.id));
    },

    async rotateSecret({ params }, call) {
      const made = await service.rotate(await aboutSaved(call, params.id));
      call.note({ previous_secret_until: made.webhook.previousUntil?.toISOString() });
      return presentMade(made);
    },

    async testWebhook({ params }, call) {
      const webhook = await aboutSaved(call, params.id);
      return noteDelivery(call, await service.test(webhook, call.principal.username));
    },

    async listDeliveries({ params, query }, call) {
      const page = await service.listDeliveries(call.principal, params.id, query);
      announcePage(call, page);
      return page.items;
    },

    async getDelivery({ params }, { principal }) {
      return presentDetail(await service.getDelivery(principal, params.id, params.delivery_id));
    },

    async replayDelivery({ params }, call) {
      call.about({ kind: 'webhook', id: params.id, name: null });
      call.note({ delivery_id: params.delivery_id });
      const found = await service.getDelivery(call.principal, params.id, params.delivery_id);
      about(call, found.webhook);
      return noteDelivery(call, await service.replay(found));
    },
  });
}

function about(call: ApiCall, webhook: StoredWebhook): StoredWebhook {
  const { id, name, folder } = webhook;
  call.about({ kind: 'webhook', id, name, ...(folder !== null && { folder }) });
  return webhook;
}

function noteDelivery(call: ApiCall, delivery: StoredDelivery): StoredDelivery {
  call.note({ delivery_id: delivery.id, event_id: delivery.eventId, kind: delivery.kind });
  return delivery;
}

/** Of the address only the host: the rest may be a secret. */
function notesOf({ name, url, format, kinds, enabled }: StoredWebhook) {
  return { name, format, kinds: kinds.join(' '), enabled, host: webhookOrigin(url) };
}
