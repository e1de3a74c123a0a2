/** Deliveries of webhooks in PostgreSQL: queued, listed, replayed and removed by age. */
import { OPEN_STATUSES } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Sealer } from '@portcullis/runtime';
import { type Database, isId, must, run, write } from '../database.ts';
import type { WebhookDelivery as Row } from '../generated/client.ts';
import type { Page } from '../page.ts';
import { decodeCursor, encodeCursor, pageSize } from '../page.ts';
import type { DeliveryFilter, NewDelivery, StoredDelivery } from './records.ts';
import { createWebhookClaims } from './webhook-claims.ts';

const MISSING: [string, string] = ['DELIVERY_UNKNOWN', 'there is no such delivery'];
const NO_WEBHOOK: [string, string] = ['WEBHOOK_UNKNOWN', 'there is no such webhook'];
/** An unreachable receiver must not fill the database. */
const MOST_WAITING = 10_000;

export function createWebhookDeliveries(db: Database, sealer: Sealer) {
  async function find(webhookId: string, id: string): Promise<StoredDelivery | null> {
    if (!isId(id) || !isId(webhookId)) return null;
    const row = await run(() => db.webhookDelivery.findFirst({ where: { id, webhookId } }));
    return row && toDelivery(row);
  }

  return {
    ...createWebhookClaims(db, sealer),
    find,
    /**
     * Inserts each event once for a webhook, and none for one that has too many waiting; returns
     * the number of those that were left out for that reason.
     */
    insert: (deliveries: readonly NewDelivery[]) => insert(db, deliveries),
    /** Inserts one on request. @throws conflict `DELIVERIES_MANY`, not_found `WEBHOOK_UNKNOWN` */
    queue: (delivery: NewDelivery) => queue(db, delivery),
    /** Newest first. */
    list: (webhookId: string, filter: DeliveryFilter) => list(db, webhookId, filter),
    /** Queues a delivery again, whatever became of it. @throws not_found `DELIVERY_UNKNOWN` */
    async replay(webhookId: string, id: string, now: Date): Promise<StoredDelivery> {
      must(isId(id) && isId(webhookId) ? id : null, ...MISSING);
      // The attempts start over, so `queued_at` has to change: it fences earlier attempts.
      await run(
        () => db.$executeRaw`
          UPDATE webhook_deliveries
             SET state = 'waiting', attempts = 0, next_attempt_at = ${now}, lease_until = NULL,
                 queued_at = greatest(${now}, queued_at + interval '1 millisecond')
           WHERE id = ${id}::uuid AND webhook_id = ${webhookId}::uuid`,
      );
      return must(await find(webhookId, id), ...MISSING);
    },
    /** Removes what has ended and was created before; returns the number. */
    async removeBefore(at: Date): Promise<number> {
      const where = { createdAt: { lt: at }, state: { not: 'waiting' } };
      const { count } = await run(() => db.webhookDelivery.deleteMany({ where }));
      return count;
    },
    /**
     * The versions of those transfers whose jobs have all ended. A version is a time in
     * milliseconds, and another one after a retry.
     */
    transferEnds: (ids: readonly string[]) => transferEnds(db, ids),
  };
}

async function insert(db: Database, deliveries: readonly NewDelivery[]): Promise<number> {
  if (deliveries.length === 0) return 0;
  const webhookId = { in: [...new Set(deliveries.map((delivery) => delivery.webhookId))] };
  const counts = await waiting(db, webhookId);
  const full = new Set(
    counts.filter(({ _count }) => _count >= MOST_WAITING).map((row) => row.webhookId),
  );
  const data = deliveries.filter((delivery) => !full.has(delivery.webhookId));
  // A webhook may have been removed meanwhile, so each row needs one.
  await run(
    () => db.$executeRaw`
      INSERT INTO webhook_deliveries (id, webhook_id, event_id, kind, body)
      SELECT gen_random_uuid(), hook.id, row.event_id, row.kind, row.body
        FROM unnest(${data.map((row) => row.webhookId)}::text[],
                    ${data.map((row) => row.eventId)}::text[],
                    ${data.map((row) => row.kind)}::text[],
                    ${data.map((row) => row.body)}::text[])
             WITH ORDINALITY AS row(webhook_id, event_id, kind, body, place)
        JOIN webhooks AS hook ON hook.id::text = row.webhook_id
       ORDER BY row.place
      ON CONFLICT (webhook_id, event_id) DO NOTHING`,
  );
  return deliveries.length - data.length;
}

async function queue(db: Database, data: NewDelivery): Promise<StoredDelivery> {
  must(isId(data.webhookId) ? data : null, ...NO_WEBHOOK);
  const [count] = await waiting(db, data.webhookId);
  if (count && count._count >= MOST_WAITING)
    throw conflict('DELIVERIES_MANY', `The webhook has ${MOST_WAITING} waiting deliveries.`);
  return toDelivery(
    await write({ missing: NO_WEBHOOK }, () => db.webhookDelivery.create({ data })),
  );
}

function waiting(db: Database, webhookId: string | { in: string[] }) {
  const where = { webhookId, state: 'waiting' };
  return run(() => db.webhookDelivery.groupBy({ by: ['webhookId'], where, _count: true }));
}

async function list(
  db: Database,
  webhookId: string,
  { limit, cursor, state }: DeliveryFilter,
): Promise<Page<StoredDelivery>> {
  const size = pageSize(limit);
  if (!isId(webhookId)) return { items: [], total: 0, nextCursor: null };
  const where = { webhookId, ...(state !== undefined && { state }) };
  const after = cursor ? decodeCursor(cursor) : null;
  const older = after && {
    OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }],
  };
  const [rows, total] = await Promise.all([
    run(() =>
      db.webhookDelivery.findMany({
        where: { ...where, ...older },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: size + 1,
      }),
    ),
    run(() => db.webhookDelivery.count({ where })),
  ]);
  const items = rows.slice(0, size).map(toDelivery);
  const last = items.at(-1);
  const more = rows.length > size && last !== undefined;
  return { items, total, nextCursor: more ? encodeCursor(last.createdAt, last.id) : null };
}

/** Selections that are not expanded yet will make more jobs. */
async function transferEnds(
  db: Database,
  transferIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = transferIds.filter(isId);
  if (ids.length === 0) return new Map();
  const rows = await run(
    () => db.$queryRaw<{ id: string; version: Date }[]>`
      SELECT job.transfer_id::text AS id, max(coalesce(job.finished_at, job.updated_at)) AS version
        FROM staging_jobs AS job
       WHERE job.transfer_id = ANY(${ids}::uuid[])
         AND NOT EXISTS (SELECT 1 FROM transfer_selections AS selection
                          WHERE selection.transfer_id = job.transfer_id
                            AND selection.state = 'queued')
       GROUP BY job.transfer_id
      HAVING NOT bool_or(job.status = ANY(${[...OPEN_STATUSES]})
                         OR (job.status = 'staged' AND job.verdict <> 'blocked'))`,
  );
  return new Map(rows.map(({ id, version }) => [id, version.getTime()]));
}

function toDelivery(row: Row): StoredDelivery {
  const { webhookId: _w, queuedAt: _q, leaseUntil: _l, nextAttemptAt, ...rest } = row;
  // Contains what the store wrote.
  const state = row.state as StoredDelivery['state'];
  return { ...rest, state, nextAttemptAt: state === 'waiting' ? nextAttemptAt : null };
}
