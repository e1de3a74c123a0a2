/**
 * The consumer group `notifications`: stores what accounts are notified of on the page. A killed
 * process loses nothing: events are acknowledged once their notifications are stored.
 */
import { NOTIFICATIONS_GROUP } from '@portcullis/domain';
import { type AuditConsumer, type AuditEvent, consume, publishNotified } from '@portcullis/events';
import type { Logger, Part, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import { notifyAccounts } from './notify-accounts.ts';

export interface NotificationsPorts {
  redis: Redis;
  store: Pick<
    Store,
    'notifications' | 'users' | 'reviews' | 'waivers' | 'transfers' | 'webhookDeliveries'
  >;
  consumer: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Pulls are most of the events, and no account is notified of one. */
const BATCH = { batch: 1_000, gatherMs: 250 };
/** A new group begins with all that the stream still has. */
const OLDEST_MS = 7 * 86_400_000;
const KEPT_MS = 90 * 86_400_000;
const MOST_OF_ACCOUNT = 1_000;
const RETENTION_EVERY_MS = 3_600_000;

export function onNotifications({ redis, store, consumer, log }: NotificationsPorts): Part {
  const { notifications, users, reviews, waivers, transfers } = store;
  const { webhookDeliveries: deliveries } = store;
  let reading: AuditConsumer | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function forget(): Promise<void> {
    try {
      await notifications.prune(new Date(Date.now() - KEPT_MS), MOST_OF_ACCOUNT);
    } catch (err) {
      log.warn({ err }, 'old notifications were not removed');
    }
  }

  /** The page asks again from time to time, so a lost message delays the notification only. */
  async function announce(accountId: string): Promise<void> {
    await publishNotified(redis, accountId).catch((err: unknown) =>
      log.warn({ err }, 'open pages were not notified'),
    );
  }

  return {
    start() {
      const ports = { notifications, users, reviews, waivers, transfers, deliveries, announce };
      const take = (events: AuditEvent[]) => {
        const since = Date.now() - OLDEST_MS;
        return notifyAccounts(
          events.filter(({ at }) => Date.parse(at) >= since),
          ports,
        );
      };
      reading = consume(redis, NOTIFICATIONS_GROUP, take, { ...BATCH, consumer, log });
      timer = setInterval(() => void forget(), RETENTION_EVERY_MS);
      void forget();
    },
    async stop() {
      clearInterval(timer);
      await reading?.stop();
    },
  };
}
