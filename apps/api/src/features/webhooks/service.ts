/** Webhooks and their deliveries. A notifier sends what is queued here. */
import { fieldFault } from '@portcullis/contract';
import {
  cloudEvent,
  type Principal,
  visibleWebhookFolders,
  WEBHOOK_TEST,
  type WebhookMessage,
} from '@portcullis/domain';
import { type AppError, conflict, isAppError, notFound } from '@portcullis/errors';
import type {
  DeliveryFilter,
  NewWebhook,
  Page,
  Store,
  StoredDelivery,
  StoredWebhook,
  WebhookUpdate,
} from '@portcullis/store';
import { fieldInvalid, fieldsInvalid } from '../../http/problem.ts';
import { inKnownFolder } from '../folders/in-known-folder.ts';

export interface WebhooksPorts {
  webhooks: Store['webhooks'];
  deliveries: Pick<Store['webhookDeliveries'], 'queue' | 'list' | 'find' | 'replay'>;
  /** @throws forbidden `EGRESS_*` */
  checkAddress(url: URL): Promise<void>;
  /** The address of the installation, which test messages name as their source. */
  source: string;
  newSecret(): string;
  newId(): string;
  now(): Date;
}

export type WebhookOrder = Omit<NewWebhook, 'createdBy' | 'secret'>;

export interface MadeWebhook {
  webhook: StoredWebhook;
  secret: string;
}

export interface FoundDelivery {
  webhook: StoredWebhook;
  delivery: StoredDelivery;
}

/** How long receivers have to configure a new secret. */
const OVERLAP_MS = 86_400_000;

export function createWebhooksService(ports: WebhooksPorts) {
  const { webhooks, deliveries, newSecret, now } = ports;

  async function list(principal: Principal): Promise<StoredWebhook[]> {
    const folders = visibleWebhookFolders(principal);
    return webhooks.list(folders === null ? {} : { folders });
  }

  /** @throws not_found `WEBHOOK_UNKNOWN` also where the account may not see it */
  async function get(principal: Principal, id: string): Promise<StoredWebhook> {
    const webhook = await webhooks.find(id);
    if (!webhook || !maySee(principal, webhook)) throw unknownWebhook();
    return webhook;
  }

  async function create(principal: Principal, order: WebhookOrder): Promise<MadeWebhook> {
    await assertAllowedUrl(order.url);
    const secret = newSecret();
    const made = { ...order, kinds: [...new Set(order.kinds)], createdBy: principal.username };
    const webhook = await inKnownFolder(order.folder, () => webhooks.insert({ ...made, secret }));
    return { webhook, secret };
  }

  async function update(saved: StoredWebhook, change: WebhookUpdate): Promise<StoredWebhook> {
    const { format = saved.format, url, enabled, kinds, ...rest } = change;
    if (format !== saved.format && url === undefined) throw urlRequired();
    if (url !== undefined) await assertAllowedUrl(url);
    return webhooks.update(saved.id, {
      ...rest,
      format,
      ...(url !== undefined && { url }),
      ...(kinds !== undefined && { kinds: [...new Set(kinds)] }),
      // Enabling what is enabled must not reset the time since which it fails.
      ...(enabled !== undefined && enabled !== saved.enabled && { enabled }),
    });
  }

  /** @throws invalid `URL_PRIVATE`, `URL_DENIED` */
  async function assertAllowedUrl(url: string): Promise<void> {
    try {
      await ports.checkAddress(new URL(url));
    } catch (error) {
      throw isAppError(error) && error.kind === 'forbidden' ? refusedUrl(error) : error;
    }
  }

  async function rotate({ id }: StoredWebhook): Promise<MadeWebhook> {
    const secret = newSecret();
    const until = new Date(now().getTime() + OVERLAP_MS);
    return { webhook: await webhooks.rotate(id, secret, until), secret };
  }

  async function test({ id, enabled }: StoredWebhook, by: string): Promise<StoredDelivery> {
    assertEnabled(enabled);
    const message: WebhookMessage = {
      id: ports.newId(),
      kind: WEBHOOK_TEST,
      time: now().toISOString(),
      subject: null,
      data: { account: by },
    };
    const body = JSON.stringify(cloudEvent(message, ports.source));
    return deliveries.queue({ webhookId: id, eventId: message.id, kind: message.kind, body });
  }

  async function listDeliveries(
    principal: Principal,
    id: string,
    filter: DeliveryFilter,
  ): Promise<Page<StoredDelivery>> {
    const webhook = await get(principal, id);
    return deliveries.list(webhook.id, filter);
  }

  async function getDelivery(
    principal: Principal,
    id: string,
    deliveryId: string,
  ): Promise<FoundDelivery> {
    const webhook = await get(principal, id);
    const delivery = await deliveries.find(webhook.id, deliveryId);
    if (!delivery) throw notFound('DELIVERY_UNKNOWN', 'There is no delivery with this id.');
    return { webhook, delivery };
  }

  async function replay({ webhook, delivery }: FoundDelivery): Promise<StoredDelivery> {
    assertEnabled(webhook.enabled);
    return deliveries.replay(webhook.id, delivery.id, now());
  }

  return {
    ...{ list, get, create, update, rotate, test, listDeliveries, getDelivery, replay },
    remove: ({ id }: StoredWebhook) => webhooks.remove(id),
  };
}
export type WebhooksService = ReturnType<typeof createWebhooksService>;

function maySee(principal: Principal, { folder }: StoredWebhook): boolean {
  const folders = visibleWebhookFolders(principal);
  return folders === null || (folder !== null && folders.includes(folder));
}

/** @throws conflict `WEBHOOK_DISABLED` */
function assertEnabled(enabled: boolean): void {
  if (!enabled) throw conflict('WEBHOOK_DISABLED', 'The webhook is disabled: enable it first.');
}

function refusedUrl({ code, message }: AppError): AppError {
  const fault = code === 'EGRESS_PRIVATE' ? 'URL_PRIVATE' : 'URL_DENIED';
  return fieldInvalid('url', fault, message);
}

/** What is shown of a URL depends on the format, and each format has other receivers. */
function urlRequired(): AppError {
  const message = 'Another format needs the URL again.';
  return fieldsInvalid([fieldFault('url', 'REQUIRED', message)]);
}

function unknownWebhook(): AppError {
  return notFound('WEBHOOK_UNKNOWN', 'There is no webhook with this id.');
}
