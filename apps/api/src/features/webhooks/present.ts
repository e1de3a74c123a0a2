/** Webhooks and their deliveries in the form of the REST API. */
import type {
  MadeWebhook as Shown,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '@portcullis/contract';
import {
  type CloudEvent,
  shownWebhookAddress,
  webhookBody,
  webhookOrigin,
} from '@portcullis/domain';
import type { StoredDelivery, StoredWebhook } from '@portcullis/store';
import type { FoundDelivery, MadeWebhook } from './service.ts';

/** @param isAdmin Whether the caller may change it; others see the host of its address only. */
export function presentWebhook(webhook: StoredWebhook, isAdmin: boolean): Webhook {
  const { id, name, folder, format, kinds, enabled, lastAttempt } = webhook;
  return {
    ...{ id, name, folder, format, kinds, enabled },
    url: isAdmin ? shownWebhookAddress(webhook.url, format) : webhookOrigin(webhook.url),
    disabled_reason: webhook.disabledReason,
    failing_since: timeOf(webhook.failingSince),
    last_attempt: lastAttempt && { ...lastAttempt, at: lastAttempt.at.toISOString() },
    previous_secret_until: timeOf(webhook.previousUntil),
    created_by: webhook.createdBy,
    created_at: webhook.createdAt.toISOString(),
  };
}

export function presentMade({ webhook, secret }: MadeWebhook): Shown {
  return { ...presentWebhook(webhook, true), secret };
}

export function presentDelivery(delivery: StoredDelivery): WebhookDelivery {
  const { id, kind, state, attempts, status, code } = delivery;
  return {
    ...{ id, kind, state, attempts, status, code },
    event_id: delivery.eventId,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: timeOf(delivery.nextAttemptAt),
    attempted_at: timeOf(delivery.attemptedAt),
    duration_ms: delivery.durationMs,
  };
}

export function presentDetail({ delivery, webhook }: FoundDelivery): WebhookDeliveryDetail {
  // Contains what `cloudEvent` made.
  const event = JSON.parse(delivery.body) as CloudEvent;
  return { ...presentDelivery(delivery), body: webhookBody(event, webhook.format) };
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
