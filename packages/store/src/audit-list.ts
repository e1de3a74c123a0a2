/**
 * Pages of the archive, in a time that doesn't grow with it. Filters walk an index in the order of the list. A search
 * first looks at the newest events as they are, which finds what is frequent at once; what is rare comes from the index
 * of words. Words that were frequent long ago are the one case that neither serves: then the page ends where the newest
 * did, and the next one goes on from there.
 */
import { type AuditSearch, searchOf } from '@portcullis/domain';
import { type Database, Prisma, run, wasCutOff } from './database.ts';
import type { AuditFilter, AuditPage, AuditPageOptions, AuditPosition, AuditRecord } from './port.ts';

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 1_000;
const LOOKED_AT = 10_000;
const INDEX_TIMEOUT_MS = 1_000;

interface Row extends AuditPosition {
  body: AuditRecord;
}

interface Asked {
  where: Prisma.Sql;
  limit: number;
}

export async function listAudit(
  db: Database,
  filter: AuditFilter,
  { after, limit = DEFAULT_SIZE }: AuditPageOptions,
): Promise<AuditPage> {
  const asked = {
    where: Prisma.join([...conditions(filter), ...following(after)], ' AND '),
    limit: Math.min(Math.max(1, Math.trunc(limit)), LARGEST_SIZE),
  };
  if (filter.q === undefined) return pageOf(await rowsOf(db, asked, Prisma.sql`true`), asked);
  const search = searchOf(filter.q);
  return search ? searchPage(db, asked, search) : { items: [], reached: null };
}

async function searchPage(db: Database, asked: Asked, search: AuditSearch): Promise<AuditPage> {
  const newest = await rowsOf(db, asked, matching(search), LOOKED_AT);
  if (newest.length > asked.limit) return pageOf(newest, asked);
  const end = await lastLookedAt(db, asked);
  if (end === null) return pageOf(newest, asked);
  const found = await byIndex(db, asked, search);
  return found ? pageOf(found, asked) : { items: newest.map(({ body }) => body), reached: end };
}

/**
 * One more than asked for, of the first `among` that the filter leaves. Which these are an index says alone: of a
 * filter's own index and that of time, the planner would else take the wrong one for an account that left long ago.
 */
function rowsOf(db: Database, { where, limit }: Asked, match: Prisma.Sql, among = limit + 1): Promise<Row[]> {
  return run(
    () => db.$queryRaw<Row[]>`
      SELECT e.id, e.at, e.body
        FROM (SELECT id, at FROM audit_events WHERE ${where} ORDER BY at DESC, id DESC LIMIT ${among}) k
        JOIN audit_events e ON e.id = k.id
       WHERE ${match} ORDER BY k.at DESC, k.id DESC LIMIT ${limit + 1}`,
  );
}

async function lastLookedAt(db: Database, { where }: Asked): Promise<AuditPosition | null> {
  const rows = await run(
    () => db.$queryRaw<AuditPosition[]>`
      SELECT id, at FROM audit_events WHERE ${where} ORDER BY at DESC, id DESC
      OFFSET ${LOOKED_AT - 1} LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Null where there is too much to be found. */
async function byIndex(db: Database, asked: Asked, search: AuditSearch): Promise<Row[] | null> {
  // OFFSET 0 keeps the planner from walking through time in the hope of meeting what is rare.
  const query = db.$queryRaw<Row[]>`
    SELECT id, at, body FROM (
      SELECT id, at, body FROM audit_events WHERE ${asked.where} AND ${matching(search)} OFFSET 0) e
     ORDER BY at DESC, id DESC LIMIT ${asked.limit + 1}`;
  const bound = db.$executeRawUnsafe(`SET LOCAL statement_timeout = ${INDEX_TIMEOUT_MS}`);
  try {
    const [, rows] = await run(() => db.$transaction([bound, query]));
    return rows;
  } catch (error) {
    if (wasCutOff(error)) return null;
    throw error;
  }
}

function pageOf(rows: Row[], { limit }: Asked): AuditPage {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ body }) => body),
    reached: rows.length > limit && last ? { at: last.at, id: last.id } : null,
  };
}

function conditions({ actor, event, since, until }: AuditFilter): Prisma.Sql[] {
  return [
    Prisma.sql`true`,
    ...(actor === undefined ? [] : [Prisma.sql`actor = ${actor}`]),
    ...(event === undefined ? [] : [Prisma.sql`event = ${event}`]),
    ...(since ? [Prisma.sql`at >= ${since}`] : []),
    ...(until ? [Prisma.sql`at < ${until}`] : []),
  ];
}

function following(after: AuditPosition | null | undefined): Prisma.Sql[] {
  return after ? [Prisma.sql`(at, id) < (${after.at}, ${after.id}::uuid)`] : [];
}

function matching({ words, pieces }: AuditSearch): Prisma.Sql {
  const literally = pieces.map((piece) => Prisma.sql`position(${piece} in lower(body::text)) > 0`);
  return Prisma.join([Prisma.sql`words @> ${words}::text[]`, ...literally], ' AND ');
}
