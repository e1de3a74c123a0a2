import type { Database } from './database.ts';
import { Prisma, run } from './database.ts';
import { json } from './job-row.ts';
import { decodeCursor, encodeCursor, pageSize } from './page.ts';
import type { AuditArchive, AuditFilter, AuditRecord, Page } from './port.ts';

interface Row {
  id: string;
  at: Date;
  body: AuditRecord;
}

export function createAudit(db: Database): AuditArchive {
  return {
    async insert(events) {
      const data = events.map((event) => ({
        id: event.id,
        at: new Date(event.at),
        event: event.event,
        outcome: event.outcome,
        actorId: event.actor.id,
        actor: event.actor.name,
        body: json(event),
      }));
      await run(() => db.auditRecord.createMany({ data, skipDuplicates: true }));
    },
    list: (filter) => list(db, filter),
    async removeOlderThan(days) {
      const at = { lt: new Date(Date.now() - days * 86_400_000) };
      return (await run(() => db.auditRecord.deleteMany({ where: { at } }))).count;
    },
  };
}

async function list(db: Database, filter: AuditFilter): Promise<Page<AuditRecord>> {
  const where = conditions(filter);
  const limit = pageSize(filter.limit);
  const [rows, counted] = await run(() =>
    Promise.all([
      db.$queryRaw<Row[]>`
        SELECT id, at, body FROM audit_events WHERE ${Prisma.join([...where, ...after(filter.cursor)], ' AND ')}
         ORDER BY at DESC, id DESC LIMIT ${limit + 1}`,
      db.$queryRaw<{ total: bigint }[]>`
        SELECT count(*) AS total FROM audit_events WHERE ${Prisma.join(where, ' AND ')}`,
    ]),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ body }) => body),
    total: Number(counted[0]?.total ?? 0),
    nextCursor: rows.length > limit && last ? encodeCursor(last.at, last.id) : null,
  };
}

function conditions({ actor, event, since, until, q }: AuditFilter): Prisma.Sql[] {
  const text = q && `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return [
    Prisma.sql`true`,
    ...(actor ? [Prisma.sql`actor = ${actor}`] : []),
    ...(event ? [Prisma.sql`event = ${event}`] : []),
    ...(since ? [Prisma.sql`at >= ${since}`] : []),
    ...(until ? [Prisma.sql`at < ${until}`] : []),
    ...(text ? [Prisma.sql`body::text ILIKE ${text}`] : []),
  ];
}

function after(cursor: string | null | undefined): Prisma.Sql[] {
  if (!cursor) return [];
  const { at, id } = decodeCursor(cursor);
  return [Prisma.sql`(at, id) < (${at}, ${id}::uuid)`];
}
