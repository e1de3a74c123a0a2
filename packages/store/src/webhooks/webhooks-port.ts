/** Webhooks and their deliveries, as the store keeps them. */
import type { WebhookFormat, WebhookKind } from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { Page, PageOptions } from '../page-port.ts';

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

export interface Webhooks {
  find(id: string): Promise<StoredWebhook | null>;
  /** By name; with `folders` only those of these folders. */
  list(filter?: { folders?: readonly string[] }): Promise<StoredWebhook[]>;
  /** @throws not_found `FOLDER_UNKNOWN`, conflict `WEBHOOKS_MANY` */
  insert(webhook: NewWebhook): Promise<StoredWebhook>;
  /** Enabling ends what disabled it. @throws not_found `WEBHOOK_UNKNOWN` */
  update(id: string, change: WebhookUpdate): Promise<StoredWebhook>;
  /** @throws not_found `WEBHOOK_UNKNOWN` */
  remove(id: string): Promise<void>;
  /** The secret until now remains valid until then. @throws not_found `WEBHOOK_UNKNOWN` */
  rotate(id: string, secret: string, previousUntil: Date): Promise<StoredWebhook>;
}

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

interface Failing {
  failingSince: Date;
  /** Committed with it where the webhook did not fail before. */
  event: AuditRecord;
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
        event: AuditRecord;
      };
}

export interface WebhookDeliveries {
  /**
   * Inserts each event once for a webhook, and none for one that has too many waiting; returns the
   * number of those that were left out for that reason.
   */
  insert(deliveries: readonly NewDelivery[]): Promise<number>;
  /** Inserts one on request. @throws conflict `DELIVERIES_MANY`, not_found `WEBHOOK_UNKNOWN` */
  queue(delivery: NewDelivery): Promise<StoredDelivery>;
  /** The next deliveries of each webhook, for one process; none of the webhooks in `except`. */
  claim(order: { now: Date; except: readonly string[] }): Promise<ClaimedDelivery[]>;
  /**
   * False where another process has claimed it since, or it was queued again. A failure at an
   * address that was replaced during the attempt is followed by another attempt at once.
   */
  settle(claimed: ClaimedDelivery, result: AttemptResult): Promise<boolean>;
  /** Returns claimed deliveries that were not attempted, unless they were queued again. */
  release(claimed: readonly ClaimedDelivery[]): Promise<void>;
  /** Newest first. */
  list(webhookId: string, filter: DeliveryFilter): Promise<Page<StoredDelivery>>;
  find(webhookId: string, id: string): Promise<StoredDelivery | null>;
  /** Queues a delivery again, whatever became of it. @throws not_found `DELIVERY_UNKNOWN` */
  replay(webhookId: string, id: string, now: Date): Promise<StoredDelivery>;
  /** Removes what has ended and was created before; returns the number. */
  removeBefore(at: Date): Promise<number>;
  /**
   * The versions of those transfers whose jobs have all ended. A version is a time in milliseconds,
   * and another one after a retry.
   */
  transferEnds(transferIds: readonly string[]): Promise<Map<string, number>>;
}
