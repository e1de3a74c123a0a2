/**
 * Transactional outbox of the audit log: events are rows here before they are published, and are
 * removed once the archive has them. See docs/decisions/0013-audit-outbox.md.
 */
import { randomUUID } from 'node:crypto';
import {
  type Connection,
  type Database,
  inTransaction,
  type PrismaClient,
  run,
} from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { AuditRecord, AuditScope, Outbox } from '../port.ts';
import { type Following, follow, insertOpen } from './audit-scope.ts';

/**
 * Key of the advisory lock of publishing, the same in all processes: one publishes at a time, so
 * that the order of events holds.
 */
const PUBLISHING_LOCK = 74_726_002;
const LOCK_WAIT_MS = 2_000;
const READY = { publishedTo: null, openUntil: null } as const;

/**
 * `client`: the client that does not follow audit scopes, because the outbox's own writes must not.
 */
export function createOutbox(client: PrismaClient): Outbox {
  return {
    scope: (draft) => createScope(client, draft),
    async put(events) {
      await run(() => putReady(client, events));
    },
    publish: (send, limit) => run(() => publish(client, send, limit)),
    async republish(stream) {
      const where = { NOT: [{ publishedTo: null }, { publishedTo: stream }] };
      const data = { publishedTo: null, publishedAt: null };
      return (await run(() => client.outboxEvent.updateMany({ where, data }))).count;
    },
    async waiting() {
      const [found] = await run(
        () => client.$queryRaw<{ count: bigint; oldest: number | null }[]>`
          SELECT count(*) AS count, (extract(epoch FROM now() - min(created_at)) * 1000)::float8 AS oldest
            FROM audit_outbox WHERE published_to IS NULL AND (open_until IS NULL OR open_until < now())`,
      );
      return { count: Number(found?.count ?? 0), oldestAgeMs: found?.oldest ?? null };
    },
  };
}

function createScope(client: PrismaClient, draft: () => AuditRecord): AuditScope {
  const following: Following = { draft, written: false, tried: false };
  return {
    run: (work) => follow(following, work),
    async intend() {
      if (following.written) return;
      // It is unknown yet whether the effect took place.
      await run(() => insertOpen(client, { ...following.draft(), outcome: 'failure' }));
      following.written = true;
    },
    async end(event) {
      if (!following.written) return false;
      await run(() => (event === null ? dropOpen(client, draft().id) : endOpen(client, event)));
      return event !== null;
    },
    mayHaveChanged: () => following.tried,
  };
}

/**
 * A row that was closed as interrupted meanwhile has already been published: the rest becomes a
 * separate event.
 */
async function endOpen(client: PrismaClient, event: AuditRecord): Promise<void> {
  const ended = await client.$executeRaw`
    UPDATE audit_outbox SET body = ${JSON.stringify(event)}::json, open_until = NULL
     WHERE id = ${event.id}::uuid AND open_until IS NOT NULL`;
  if (ended === 1) return;
  await putReady(client, [
    { ...event, id: randomUUID(), detail: { ...event.detail, continues: event.id } },
  ]);
}

async function dropOpen(client: PrismaClient, id: string): Promise<void> {
  await client.$executeRaw`DELETE FROM audit_outbox WHERE id = ${id}::uuid AND open_until IS NOT NULL`;
}

/** Inserts the event of a change in the change's transaction. */
export async function putReady(tx: Connection, events: readonly AuditRecord[]): Promise<void> {
  const data = events.map((event) => ({ id: event.id, body: json(event) }));
  await tx.outboxEvent.createMany({ data, skipDuplicates: true });
}

/** A fenced change and its event, in one transaction. */
export function withEvent(
  db: Database,
  event: AuditRecord | null | undefined,
  change: (tx: Connection) => Promise<boolean>,
): Promise<boolean> {
  if (!event) return run(() => change(db));
  return inTransaction(db, async (tx) => {
    const changed = await change(tx);
    if (changed) await putReady(tx, [event]);
    return changed;
  });
}

function publish(
  client: PrismaClient,
  send: Parameters<Outbox['publish']>[0],
  limit: number,
): Promise<number> {
  return client.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('lock_timeout', ${`${LOCK_WAIT_MS}ms`}, true)`;
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PUBLISHING_LOCK})`;
    await tx.$executeRaw`UPDATE audit_outbox SET open_until = NULL WHERE published_to IS NULL AND open_until < now()`;
    const rows = await tx.outboxEvent.findMany({
      where: READY,
      orderBy: { seq: 'asc' },
      take: limit,
      select: { id: true, body: true },
    });
    if (rows.length === 0) return 0;
    // The column contains what this file wrote.
    const stream = await send(rows.map(({ body }) => body as unknown as AuditRecord));
    const where = { id: { in: rows.map(({ id }) => id) } };
    await tx.outboxEvent.updateMany({
      where,
      data: { publishedTo: stream, publishedAt: new Date() },
    });
    return rows.length;
  });
}
