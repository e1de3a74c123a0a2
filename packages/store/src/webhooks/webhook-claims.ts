/** Claims deliveries for one process, and records the ends of their attempts. */
import type { WebhookFormat } from '@portcullis/domain';
import type { Sealer } from '@portcullis/runtime';
import { putReady } from '../audit/outbox.ts';
import { type Connection, type Database, inTransaction, type Prisma, run } from '../database.ts';
import type { AttemptResult, ClaimedDelivery } from './records.ts';

/** A killed notifier's deliveries are attempted by another one after this time. */
const LEASE_MS = 60_000;
/** Attempted one after the other: together they take less than the lease. */
const PER_WEBHOOK = 4;

interface ClaimedRow {
  id: string;
  eventId: string;
  body: string;
  attempts: number;
  queuedAt: Date;
  webhookId: string;
}

export function createWebhookClaims(db: Database, sealer: Sealer) {
  return {
    /** The next deliveries of each webhook, for one process; none of the webhooks in `except`. */
    async claim({
      now,
      except,
    }: {
      now: Date;
      except: readonly string[];
    }): Promise<ClaimedDelivery[]> {
      const until = new Date(now.getTime() + LEASE_MS);
      const rows = await run(
        () => db.$queryRaw<ClaimedRow[]>`
          UPDATE webhook_deliveries AS delivery
             SET lease_until = ${until}, attempts = delivery.attempts + 1
           WHERE delivery.id IN (
                   SELECT due.id FROM webhooks AS hook
                    CROSS JOIN LATERAL (
                      SELECT id FROM webhook_deliveries
                       WHERE webhook_id = hook.id AND state = 'waiting'
                         AND next_attempt_at <= ${now}
                         AND (lease_until IS NULL OR lease_until <= ${now})
                       ORDER BY next_attempt_at, id LIMIT ${PER_WEBHOOK}) AS due
                    WHERE hook.enabled AND (hook.retry_at IS NULL OR hook.retry_at <= ${now})
                      AND NOT hook.id::text = ANY(${[...except]}))
             AND delivery.state = 'waiting'
             AND (delivery.lease_until IS NULL OR delivery.lease_until <= ${now})
          RETURNING delivery.id::text, delivery.event_id AS "eventId", delivery.body,
                    delivery.attempts, delivery.queued_at AS "queuedAt",
                    delivery.webhook_id::text AS "webhookId"`,
      );
      return rows.length === 0 ? [] : withWebhooks(db, sealer, { rows, now });
    },
    /**
     * False where another process has claimed it since, or it was queued again. A failure at an
     * address that was replaced during the attempt is followed by another attempt at once.
     */
    settle: (claimed: ClaimedDelivery, result: AttemptResult): Promise<boolean> =>
      inTransaction(db, (tx) => settle(tx, claimed, { result, sealer })),
    /** Returns claimed deliveries that were not attempted, unless they were queued again. */
    async release(claimed: readonly ClaimedDelivery[]): Promise<void> {
      if (claimed.length === 0) return;
      const where = { OR: claimed.map(fenced) };
      const data = { leaseUntil: null, attempts: { decrement: 1 } };
      await run(() => db.webhookDelivery.updateMany({ where, data }));
    },
  };
}

async function withWebhooks(
  db: Database,
  sealer: Sealer,
  { rows, now }: { rows: ClaimedRow[]; now: Date },
): Promise<ClaimedDelivery[]> {
  const ids = [...new Set(rows.map(({ webhookId }) => webhookId))];
  const hooks = await run(() =>
    db.webhook.findMany({
      where: { id: { in: ids } },
      include: { folder: { select: { name: true } } },
    }),
  );
  const byId = new Map(
    hooks.map((hook) => {
      const { id, name, folder, failingSince, sealedPreviousSecret, previousUntil } = hook;
      const overlaps = previousUntil !== null && previousUntil > now;
      const previous = overlaps && sealedPreviousSecret !== null ? [sealedPreviousSecret] : [];
      const secrets = [hook.sealedSecret, ...previous].map((sealed) => sealer.open(sealed));
      const url = sealer.open(hook.sealedUrl);
      // Contains what the store wrote.
      const format = hook.format as WebhookFormat;
      return [id, { id, name, folder: folder?.name ?? null, failingSince, url, format, secrets }];
    }),
  );
  return rows.flatMap(({ webhookId, ...row }) => {
    const webhook = byId.get(webhookId);
    return webhook ? [{ ...row, webhook }] : [];
  });
}

/** Matches the delivery only while no later attempt and no replay has taken it. */
function fenced({ id, attempts, queuedAt }: ClaimedDelivery) {
  return { id, attempts, queuedAt, state: 'waiting' };
}

async function settle(
  tx: Connection,
  claimed: ClaimedDelivery,
  { result, sealer }: { result: AttemptResult; sealer: Sealer },
): Promise<boolean> {
  const { next, at, status, code, durationMs } = result;
  const isCurrent = await lockAddress(tx, claimed.webhook, sealer);
  const ended = { attemptedAt: at, status, code, durationMs, leaseUntil: null };
  const state = isCurrent || next.kind === 'delivered' ? stateOf(next) : { nextAttemptAt: at };
  const { count } = await tx.webhookDelivery.updateMany({
    where: fenced(claimed),
    data: { ...ended, ...state },
  });
  if (count > 0 && isCurrent) await settleWebhook(tx, claimed.webhook.id, result);
  return count > 0;
}

/**
 * Whether the webhook still has the address of the attempt: a failure at one that was replaced says
 * nothing about the new one. The lock keeps the address until the end of the transaction.
 */
async function lockAddress(
  tx: Connection,
  { id, url }: ClaimedDelivery['webhook'],
  sealer: Sealer,
): Promise<boolean> {
  const [hook] = await tx.$queryRaw<{ sealedUrl: string }[]>`
    SELECT sealed_url AS "sealedUrl" FROM webhooks WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return hook !== undefined && sealer.open(hook.sealedUrl) === url;
}

async function settleWebhook(
  tx: Connection,
  id: string,
  { next, at, status, code }: AttemptResult,
): Promise<void> {
  const attempt = { lastAttemptAt: at, lastStatus: status, lastCode: code };
  const data = { ...webhookState(next), ...attempt };
  if (next.kind === 'disable') await disable(tx, { id, next, data });
  else await keep(tx, { id, next, data });
}

interface Settled<Next> {
  id: string;
  next: Next;
  data: Prisma.WebhookUpdateManyMutationInput;
}

async function keep(
  tx: Connection,
  { id, next, data }: Settled<Exclude<AttemptResult['next'], { kind: 'disable' }>>,
): Promise<void> {
  // Of several processes one records that it begins to fail.
  const began = { where: { id, failingSince: null }, data };
  if (next.kind !== 'delivered' && (await tx.webhook.updateMany(began)).count > 0)
    await putReady(tx, [next.event]);
  else await tx.webhook.updateMany({ where: { id }, data });
}

async function disable(
  tx: Connection,
  { id, next, data }: Settled<Extract<AttemptResult['next'], { kind: 'disable' }>>,
): Promise<void> {
  // Of several processes one disables it and records that.
  const disabled = await tx.webhook.updateMany({ where: { id, enabled: true }, data });
  await tx.webhookDelivery.updateMany({
    where: { webhookId: id, state: 'waiting' },
    data: { state: 'failed', code: 'WEBHOOK_DISABLED', leaseUntil: null },
  });
  if (disabled.count > 0) await putReady(tx, [next.event]);
}

function stateOf(next: AttemptResult['next']) {
  if (next.kind === 'again') return { nextAttemptAt: next.at };
  return { state: next.kind === 'delivered' ? 'delivered' : 'failed' };
}

function webhookState(next: AttemptResult['next']) {
  if (next.kind === 'delivered') return { failingSince: null, retryAt: null };
  const { failingSince } = next;
  if (next.kind === 'again') return { failingSince, retryAt: next.pauseUntil };
  if (next.kind === 'given_up') return { failingSince };
  return { failingSince, enabled: false, disabledReason: next.reason };
}
