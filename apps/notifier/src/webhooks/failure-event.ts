/** The audit events of a webhook that begins to fail, or is disabled because it fails. */
import type { WebhookDecision } from '@portcullis/domain';
import { type AuditEvent, systemEvent } from '@portcullis/events';
import type { ClaimedDelivery } from '@portcullis/store';
import type { SentWebhook } from './send-webhook.ts';

export function failureEvent(
  decision: Exclude<WebhookDecision, { kind: 'delivered' }>,
  { webhook: { id, name, folder } }: ClaimedDelivery,
  { sent: { code, status }, settledAt }: { sent: SentWebhook; settledAt: Date },
): AuditEvent {
  const { failingSince } = decision;
  const reason = decision.kind === 'disable' ? { reason: decision.reason } : {};
  return systemEvent({
    at: settledAt,
    event: decision.kind === 'disable' ? 'webhook.disabled' : 'webhook.failing',
    outcome: 'failure',
    actor: { id: null, name: 'notifier' },
    action: decision.kind === 'disable' ? 'disable' : 'deliver',
    resource: { kind: 'webhook', id, name, ...(folder !== null && { folder }) },
    detail: { ...reason, code, status, failing_since: failingSince.toISOString() },
  });
}
