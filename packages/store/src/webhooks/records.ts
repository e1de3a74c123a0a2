/** Describes webhooks and their deliveries as they are stored. */
import type { AuditEvent, WebhookFormat, WebhookKind } from '@portcullis/domain';
import type { PageOptions } from '../page.ts';

export interface StoredWebhook {
  id: string;
  name: string;
  /** Null: the events of the whole installation. */
  folder: string | null;
  url: string;
  format: WebhookFormat;
  /** Empty: all. */
  kinds: WebhookKind[];
  enabled: boolean;
  /** Why it was disabled without a request; null otherwise. */
  disabledReason: 'failing' | 'gone' | null;
  /** Until when deliveries are signed with the secret before the last rotation as well. */
  previousUntil: Date | null;
  /** Username. */
  createdBy: string;
  createdAt: Date;
  failingSince: Date | null;
  /** Null: nothing was sent yet. */
  lastAttempt: { at: Date; status: number | null; code: string | null } | null;
}

export type NewWebhook = Pick<
  StoredWebhook,
  'name' | 'folder' | 'url' | 'format' | 'kinds' | 'createdBy'
> & { secret: string; enabled?: boolean };

export type WebhookUpdate = Partial<
  Pick<StoredWebhook, 'name' | 'url' | 'format' | 'kinds' | 'enabled'>
>;

export interface NewDelivery {
  webhookId: string;
  eventId: string;
  kind: string;
  /** The CloudEvent as JSON text. */
  body: string;
}

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

export interface StoredDelivery extends Omit<NewDelivery, 'webhookId'> {
  id: string;
  state: (typeof DELIVERY_STATES)[number];
  attempts: number;
  createdAt: Date;
  /** Null where it is not waiting. */
  nextAttemptAt: Date | null;
  attemptedAt: Date | null;
  status: number | null;
  code: string | null;
  durationMs: number | null;
}

export interface DeliveryFilter extends PageOptions {
  state?: StoredDelivery['state'] | undefined;
}

/** A delivery that one process attempts. */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  body: string;
  /** With this one. */
  attempts: number;
  queuedAt: Date;
  webhook: ClaimedWebhook;
}

export interface ClaimedWebhook extends Pick<StoredWebhook, 'id' | 'name' | 'url' | 'format'> {
  folder: string | null;
  failingSince: Date | null;
  /** The current one first. */
  secrets: string[];
}

export interface Failing {
  failingSince: Date;
  /** Committed with it where the webhook did not fail before. */
  event: AuditEvent;
}

/** The end of an attempt. */
export interface AttemptResult {
  at: Date;
  status: number | null;
  code: string | null;
  durationMs: number;
  next:
    | { kind: 'delivered' }
    | ({ kind: 'given_up' } & Failing)
    /** The webhook sends nothing before `pauseUntil`. */
    | ({ kind: 'again'; at: Date; pauseUntil: Date } & Failing)
    /** All that it has to deliver fails. The event is committed with it. */
    | {
        kind: 'disable';
        reason: 'failing' | 'gone';
        failingSince: Date;
        event: AuditEvent;
      };
}
