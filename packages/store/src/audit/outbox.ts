/**
 * Transactional outbox of the audit log: events are rows here before they are published, and are
 * removed once the archive has them. See docs/decisions/0013-audit-outbox.md.
 */
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@portcullis/domain';
import {
  type Connection,
  type Database,
  inTransaction,
  Prisma,
  type PrismaClient,
  run,
} from '../database.ts';
import { json } from '../jobs/job-row.ts';
import { type Following, follow, insertOpen } from './audit-scope.ts';
import { gather } from './gathered.ts';
import type { AuditScope } from './records.ts';

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
export function createOutbox(client: PrismaClient) {
  const rows = openRows(client);
  return {
    /** `draft`: the event as it would be if the process died now; its id is the final event's. */
    scope: (draft: () => AuditEvent) => createScope(rows, draft),
    /** Events without a change, which cannot be published now. */
    async put(events: readonly AuditEvent[]): Promise<void> {
      await run(() => putReady(client, events));
    },
    /**
     * Passes the next events in order to `send`, marks them as published to the stream that it
     * returns, and returns their number. One caller in the whole installation at a time; others
     * wait. If `send` throws, nothing changes.
     */
    publish: (send: (events: AuditEvent[]) => Promise<string>, limit: number): Promise<number> =>
      run(() => publish(client, send, limit)),
    /**
     * Marks unarchived events that were published to another stream as unpublished. Returns their
     * number.
     */
    async republish(stream: string): Promise<number> {
      const where = { NOT: [{ publishedTo: null }, { publishedTo: stream }] };
      const data = { publishedTo: null, publishedAt: null };
      return (await run(() => client.outboxEvent.updateMany({ where, data }))).count;
    },
    /** Events that could be published. */
    async waiting(): Promise<{ count: number; oldestAgeMs: number | null }> {
      const [found] = await run(
        () => client.$queryRaw<{ count: bigint; oldest: number | null }[]>`
          SELECT count(*) AS count, (extract(epoch FROM now() - min(created_at)) * 1000)::float8 AS oldest
            FROM audit_outbox WHERE published_to IS NULL AND (open_until IS NULL OR open_until < now())`,
      );
      return { count: Number(found?.count ?? 0), oldestAgeMs: found?.oldest ?? null };
    },
  };
}

/** The rows of running requests. Those of concurrent requests share statements. */
interface OpenRows {
  insert(event: AuditEvent): Promise<void>;
  end(event: AuditEvent): Promise<void>;
  drop(id: string): Promise<void>;
}

function openRows(client: PrismaClient): OpenRows {
  const insert = gather(async (events: readonly AuditEvent[]) => {
    await run(() => insertOpen(client, events));
    return events.map(() => true);
  });
  const close = gather((events: readonly AuditEvent[]) => run(() => closeRows(client, events)));

  /**
   * A row that was closed as interrupted meanwhile has already been published: the rest becomes a
   * separate event.
   */
  async function end(event: AuditEvent): Promise<void> {
    if (await close(event)) return;
    const detail = { ...event.detail, continues: event.id };
    await run(() => putReady(client, [{ ...event, id: randomUUID(), detail }]));
  }

  return {
    async insert(event) {
      await insert(event);
    },
    end,
    drop: (id) => run(() => dropOpen(client, id)),
  };
}

function createScope(rows: OpenRows, draft: () => AuditEvent): AuditScope {
  const following: Following = { draft, written: false, tried: false };
  return {
    run: (work) => follow(following, work),
    async intend() {
      if (following.written) return;
      // It is unknown yet whether the effect took place.
      await rows.insert({ ...following.draft(), outcome: 'failure' });
      following.written = true;
    },
    async end(event) {
      if (!following.written) return false;
      await (event === null ? rows.drop(draft().id) : rows.end(event));
      return event !== null;
    },
    mayHaveChanged: () => following.tried,
  };
}

/** @returns whether each row was still open */
async function closeRows(client: PrismaClient, events: readonly AuditEvent[]): Promise<boolean[]> {
  const ids = events.map(({ id }) => id);
  const bodies = events.map((event) => JSON.stringify(event));
  const closed = await client.$queryRaw<{ id: string }[]>`
    UPDATE audit_outbox SET body = given.body::json, open_until = NULL
      FROM unnest(${ids}::text[], ${bodies}::text[]) AS given (id, body)
     WHERE audit_outbox.id = given.id::uuid AND open_until IS NOT NULL
    RETURNING given.id AS id`;
  const found = new Set(closed.map(({ id }) => id));
  return ids.map((id) => found.has(id));
}

async function dropOpen(client: PrismaClient, id: string): Promise<void> {
  await client.$executeRaw`DELETE FROM audit_outbox WHERE id = ${id}::uuid AND open_until IS NOT NULL`;
}

/** Inserts the event of a change in the change's transaction. */
export async function putReady(tx: Connection, events: readonly AuditEvent[]): Promise<void> {
  const data = events.map((event) => ({ id: event.id, body: json(event) }));
  await tx.outboxEvent.createMany({ data, skipDuplicates: true });
}

/**
 * Inserts the event of a change as a part of the change's statement.
 * @param from the FROM clause of the change's rows: without a row there is no event
 */
export function insertReady(event: AuditEvent | null | undefined, from: Prisma.Sql): Prisma.Sql {
  if (!event) return Prisma.sql`SELECT 1`;
  return Prisma.sql`
    INSERT INTO audit_outbox (id, body)
    SELECT ${event.id}::uuid, ${JSON.stringify(event)}::json ${from}
    ON CONFLICT (id) DO NOTHING`;
}

/** A fenced change and its event, in one transaction. */
export function withEvent(
  db: Database,
  event: AuditEvent | null | undefined,
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
  send: (events: AuditEvent[]) => Promise<string>,
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
    const stream = await send(rows.map(({ body }) => body as unknown as AuditEvent));
    const where = { id: { in: rows.map(({ id }) => id) } };
    await tx.outboxEvent.updateMany({
      where,
      data: { publishedTo: stream, publishedAt: new Date() },
    });
    return rows.length;
  });
}
