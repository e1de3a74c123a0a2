/** Webhooks and their deliveries in the form of the REST API. */
import {
  type CloudEvent,
  shownWebhookAddress,
  webhookBody,
  webhookOrigin,
} from '@portcullis/domain';
import type { StoredWebhook } from '@portcullis/store';
import type { FoundDelivery, MadeWebhook } from './service.ts';

/** @param isAdmin Whether the caller may change it; others see the host of its address only. */
export function presentWebhook(webhook: StoredWebhook, isAdmin: boolean) {
  const { url, format, previousUntil: previousSecretUntil } = webhook;
  const shown = isAdmin ? shownWebhookAddress(url, format) : webhookOrigin(url);
  return { ...webhook, url: shown, previousSecretUntil };
}

export function presentMade({ webhook, secret }: MadeWebhook) {
  return { ...presentWebhook(webhook, true), secret };
}

export function presentDetail({ delivery, webhook }: FoundDelivery) {
  // Contains what `cloudEvent` made.
  const event = JSON.parse(delivery.body) as CloudEvent;
  return { ...delivery, body: webhookBody(event, webhook.format) };
}
