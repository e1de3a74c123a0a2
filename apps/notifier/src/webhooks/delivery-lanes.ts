/**
 * Delivers what is due. Each webhook has one lane in a process, which sends one delivery after the
 * other, so that a slow receiver delays no other one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { decideWebhook, type WebhookDecision } from '@portcullis/domain';
import type { Logger } from '@portcullis/runtime';
import type { AttemptResult, ClaimedDelivery, Store } from '@portcullis/store';
import { failureEvent } from './failure-event.ts';
import type { SentWebhook } from './send-webhook.ts';

export interface LanePorts {
  deliveries: Pick<Store['webhookDeliveries'], 'claim' | 'settle' | 'release'>;
  send(claimed: ClaimedDelivery, stopped: AbortSignal): Promise<SentWebhook>;
  /** Call after an audit event was committed. */
  flush(): Promise<void>;
  ended(failure: string | null): void;
  /** Between two searches for deliveries that are due. */
  pollMs?: number;
  now(): Date;
  log: Pick<Logger, 'warn'>;
}

export interface DeliveryLanes {
  /** Looks for deliveries at once. */
  wake(): void;
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
/** After a failure the webhook sends nothing for this time, not even other deliveries. */
const PAUSE_MS = 5_000;

export function startLanes(ports: LanePorts): DeliveryLanes {
  const lanes = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const stopped = stopping.signal;
  let waking = new AbortController();

  async function round(): Promise<void> {
    const claimed = await ports.deliveries.claim({ now: ports.now(), except: [...lanes.keys()] });
    for (const [id, queue] of Map.groupBy(claimed, ({ webhook }) => webhook.id)) {
      const lane = deliverAll(queue, ports, stopped)
        .catch((err: unknown) => ports.log.warn({ err, webhook: id }, 'a webhook was not served'))
        .finally(() => {
          lanes.delete(id);
          waking.abort();
        });
      lanes.set(id, lane);
    }
  }

  async function loop(): Promise<void> {
    while (!stopped.aborted) {
      waking = new AbortController();
      const signal = AbortSignal.any([stopped, waking.signal]);
      await round().catch((err: unknown) =>
        ports.log.warn({ err }, 'deliveries of webhooks could not be read; trying again'),
      );
      await pause(ports.pollMs ?? POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const looping = loop();
  return {
    wake: () => waking.abort(),
    async stop() {
      stopping.abort();
      await looping;
      await Promise.all(lanes.values());
    },
  };
}

/** The first failure ends it: the other deliveries would most likely fail, too. */
async function deliverAll(
  queue: readonly ClaimedDelivery[],
  ports: LanePorts,
  stopped: AbortSignal,
): Promise<void> {
  for (const [index, claimed] of queue.entries()) {
    const delivered = stopped.aborted ? false : await deliverOne(claimed, ports, stopped);
    if (delivered) continue;
    await ports.deliveries.release(queue.slice(stopped.aborted ? index : index + 1));
    return;
  }
}

async function deliverOne(
  claimed: ClaimedDelivery,
  { deliveries, send, flush, ended, now, log }: LanePorts,
  stopped: AbortSignal,
): Promise<boolean> {
  const sent = await send(claimed, stopped).catch((error: unknown) => {
    if (stopped.aborted) return null;
    throw error;
  });
  if (sent === null) return false;
  const { at, status, code, durationMs } = sent;
  const { attempts, queuedAt: createdAt, webhook } = claimed;
  const before = { attempts, createdAt, failingSince: webhook.failingSince };
  const settledAt = now();
  const decision = decideWebhook(sent, before, settledAt);
  const next = nextOf(decision, claimed, { sent, settledAt });
  await deliveries.settle(claimed, { at, status, code, durationMs, next });
  ended(decision.kind === 'delivered' ? null : (code ?? 'WEBHOOK_REFUSED'));
  if (next.kind === 'delivered') return true;
  if (next.kind === 'disable')
    log.warn({ webhook: webhook.id, reason: next.reason, code, status }, 'a webhook was disabled');
  if (next.kind === 'disable' || webhook.failingSince === null) await flush();
  return false;
}

function nextOf(
  decision: WebhookDecision,
  claimed: ClaimedDelivery,
  settled: { sent: SentWebhook; settledAt: Date },
): AttemptResult['next'] {
  if (decision.kind === 'delivered') return decision;
  const event = failureEvent(decision, claimed, settled);
  if (decision.kind !== 'again') return { ...decision, event };
  return { ...decision, event, pauseUntil: new Date(settled.settledAt.getTime() + PAUSE_MS) };
}
