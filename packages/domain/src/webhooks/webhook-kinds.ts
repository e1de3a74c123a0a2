/** The kinds of events that a webhook may ask for, and the formats of a delivery. */

export const WEBHOOK_KINDS = [
  'job.pulled',
  'job.scanned',
  'job.blocked',
  'job.pushed',
  'job.failed',
  'image.pushed',
  'image.blocked',
  'image.cleared',
  'vulnerability.appeared',
  'mirror.last_good',
  'transfer.finished',
  'waiver.requested',
  'waiver.approved',
  'waiver.rejected',
  'waiver.revoked',
  'waiver.ending',
  'waiver.expired',
  'review.requested',
  'review.commented',
  'review.decided',
  'review.withdrawn',
  'review.expired',
  'review.push_refused',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** Sent on request only, to every endpoint. */
export const WEBHOOK_TEST = 'webhook.test';

export const WEBHOOK_FORMATS = ['cloudevents', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** What a webhook sends, before it is written as a CloudEvent. */
export interface WebhookMessage {
  /** The same for every attempt and every endpoint; receivers recognize repetitions by it. */
  id: string;
  kind: WebhookKind | typeof WEBHOOK_TEST;
  /** RFC 3339. */
  time: string;
  subject: string | null;
  data: Record<string, unknown>;
}
