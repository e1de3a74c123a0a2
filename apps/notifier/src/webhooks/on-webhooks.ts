/**
 * The consumer group `webhooks`: stores a delivery for each webhook that wants an event, and
 * delivers what is stored. A killed process loses nothing: events are acknowledged once they are
 * stored, and a delivery without a result is attempted again when its lease has ended.
 */
import { WEBHOOKS_GROUP } from '@portcullis/domain';
import { type AuditConsumer, type AuditLog, consume } from '@portcullis/events';
import type { Transport } from '@portcullis/oci/remote';
import type { Logger, Part, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import { type DeliveryLanes, startLanes } from './delivery-lanes.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import { sendWebhook } from './send-webhook.ts';

export interface WebhookPorts {
  redis: Redis;
  store: Pick<Store, 'webhooks' | 'webhookDeliveries' | 'transfers'>;
  audit: Pick<AuditLog, 'flush'>;
  /** Refuses private addresses that no setting allows. */
  transport: Pick<Transport, 'send'>;
  source: string;
  consumer: string;
  /** Between two searches for deliveries that are due. */
  pollMs?: number;
  now(): Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Pulls are most of the events, and few webhooks want them. */
const BATCH = { batch: 1_000, gatherMs: 250 };
const KEPT_MS = 7 * 86_400_000;
const RETENTION_EVERY_MS = 3_600_000;

export function onWebhooks(ports: WebhookPorts) {
  const { redis, store, audit, transport, source, consumer, pollMs, now, log } = ports;
  const state = counters(now);
  let reading: AuditConsumer | null = null;
  let lanes: DeliveryLanes | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function forget(): Promise<void> {
    try {
      await store.webhookDeliveries.removeBefore(new Date(now().getTime() - KEPT_MS));
    } catch (err) {
      log.warn({ err }, 'old deliveries of webhooks were not removed');
    }
  }

  const queue = {
    webhooks: store.webhooks,
    deliveries: store.webhookDeliveries,
    transfers: store.transfers,
    ...{ source, log },
  };
  const part: Part = {
    start() {
      lanes = startLanes({
        deliveries: store.webhookDeliveries,
        send: (claimed, stopped) => sendWebhook(claimed, { transport, stopped, at: now() }),
        flush: () => audit.flush(),
        ended: state.ended,
        ...{ pollMs, now, log },
      });
      const take = async (events: Parameters<typeof queueDeliveries>[0]) => {
        if (await queueDeliveries(events, queue)) lanes?.wake();
      };
      reading = consume(redis, WEBHOOKS_GROUP, take, { ...BATCH, consumer, log });
      timer = setInterval(() => void forget(), RETENTION_EVERY_MS);
      void forget();
    },
    async stop() {
      clearInterval(timer);
      await reading?.stop();
      await lanes?.stop();
    },
  };
  return { ...part, state: state.read };
}

/** Figures of this process, for metrics. */
function counters(now: () => Date) {
  const state = {
    enabled: true,
    delivered: 0,
    last_delivered_at: null as string | null,
    failing: null as string | null,
    refused: 0,
    last_refusal: null,
  };
  return {
    read: () => ({ ...state }),
    ended(failure: string | null) {
      state.failing = failure;
      if (failure !== null) return;
      state.delivered++;
      state.last_delivered_at = now().toISOString();
    },
  };
}
