/**
 * Lists pages of the audit archive in a time that does not grow with the archive. Filters walk an
 * index in the order of the list. A search first scans the newest events, which finds frequent
 * words at once; rare words come from the word index, day by day. If the time is over first, the
 * page ends there and the next one continues.
 */
import { type AuditSearch, searchOf } from '@portcullis/domain';
import { type Database, Prisma, run } from '../database.ts';
import { type AuditRow, type Found, walkDays } from './audit-search-walk.ts';
import type { AuditFilter, AuditPage, AuditPageOptions, AuditPosition } from './records.ts';

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 1_000;

/** Limits on the cost of one page of a search. */
export interface Effort {
  /** Events scanned first, and where the index has too many matches. */
  firstLook: number;
  longLook: number;
  /** No further day is started after this time. */
  walkMs: number;
  /** One day may have more matches than can be read in a page's time. */
  timeoutMs: number;
}

const EFFORT: Effort = { firstLook: 2_000, longLook: 10_000, walkMs: 100, timeoutMs: 200 };

interface AuditQuery {
  filter: AuditFilter;
  after: AuditPosition | null;
  limit: number;
}

export async function listAudit(
  db: Database,
  filter: AuditFilter,
  { after = null, limit = DEFAULT_SIZE, effort = EFFORT }: AuditPageOptions & { effort?: Effort },
): Promise<AuditPage> {
  const query = { filter, after, limit: Math.min(Math.max(1, Math.trunc(limit)), LARGEST_SIZE) };
  if (filter.q === undefined) return pageOf(await rowsOf(db, query, Prisma.sql`true`), query);
  const search = searchOf(filter.q);
  return search ? searchPage(db, query, { search, effort }) : { items: [], reached: null };
}

interface Searching {
  search: AuditSearch;
  effort: Effort;
}

async function searchPage(
  db: Database,
  query: AuditQuery,
  { search, effort }: Searching,
): Promise<AuditPage> {
  const newest = await look(db, query, search, effort.firstLook);
  if (newest.reached === null) return pageOf(newest.rows, query);
  const rest = { ...query, after: newest.reached, limit: query.limit - newest.rows.length };
  const found =
    (await walk(db, rest, { search, effort })) ?? (await look(db, rest, search, effort.longLook));
  const page = pageOf([...newest.rows, ...found.rows], query);
  return { ...page, reached: page.reached ?? found.reached };
}

async function look(
  db: Database,
  query: AuditQuery,
  search: AuditSearch,
  among: number,
): Promise<Found> {
  const rows = await rowsOf(db, query, matching(search), among);
  return { rows, reached: rows.length > query.limit ? null : await lastLookedAt(db, query, among) };
}

function walk(
  db: Database,
  { filter, after, limit }: AuditQuery & { after: AuditPosition },
  { search, effort }: Searching,
): Promise<Found | null> {
  // The filtered values are among an event's words, too.
  const filtered = [filter.actor, filter.event].flatMap((text = '') => searchOf(text)?.words ?? []);
  return walkDays(db, {
    words: [...search.words, ...filtered],
    where: where(filter, after),
    match: matching(search),
    from: after.at,
    since: filter.since,
    wanted: limit + 1,
    ...effort,
  });
}

/**
 * One row more than requested, of the first `among` that match the filter. The ids are chosen by an
 * index alone, because between the filter's index and that of time the planner would choose the
 * wrong one for an account that has long been inactive.
 */
function rowsOf(
  db: Database,
  { filter, after, limit }: AuditQuery,
  match: Prisma.Sql,
  among = limit + 1,
): Promise<AuditRow[]> {
  return run(
    () => db.$queryRaw<AuditRow[]>`
      SELECT e.id, e.at, e.body
        FROM (SELECT id, at FROM audit_events WHERE ${where(filter, after)}
               ORDER BY at DESC, id DESC LIMIT ${among}) k
        JOIN audit_events e ON e.id = k.id
       WHERE ${match} ORDER BY k.at DESC, k.id DESC LIMIT ${limit + 1}`,
  );
}

async function lastLookedAt(
  db: Database,
  { filter, after }: AuditQuery,
  among: number,
): Promise<AuditPosition | null> {
  const rows = await run(
    () => db.$queryRaw<AuditPosition[]>`
      SELECT id, at FROM audit_events WHERE ${where(filter, after)} ORDER BY at DESC, id DESC
      OFFSET ${among - 1} LIMIT 1`,
  );
  return rows[0] ?? null;
}

function pageOf(rows: AuditRow[], { limit }: AuditQuery): AuditPage {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ body }) => body),
    reached: rows.length > limit && last ? { at: last.at, id: last.id } : null,
  };
}

function where(
  { actor, event, outcome, bypassed, since, until }: AuditFilter,
  after: AuditPosition | null,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`true`,
    ...(actor === undefined ? [] : [Prisma.sql`actor = ${actor}`]),
    ...(event === undefined ? [] : [Prisma.sql`event = ${event}`]),
    ...(outcome === undefined ? [] : [Prisma.sql`outcome = ${outcome}`]),
    ...(bypassed ? [Prisma.sql`bypassed`] : []),
    ...(since ? [Prisma.sql`at >= ${since}`] : []),
    ...(until ? [Prisma.sql`at < ${until}`] : []),
    ...(after ? [Prisma.sql`(at, id) < (${after.at}, ${after.id}::uuid)`] : []),
  ];
  return Prisma.join(conditions, ' AND ');
}

function matching({ words, pieces }: AuditSearch): Prisma.Sql {
  const literally = pieces.map((piece) => Prisma.sql`position(${piece} in lower(body::text)) > 0`);
  return Prisma.join([Prisma.sql`words @> ${words}::text[]`, ...literally], ' AND ');
}
