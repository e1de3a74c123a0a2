/**
 * A search by the index of words, which has an entry for each word and day: it walks back day by day, over years in
 * which there is nothing as fast as through a week, until the page is full or its time is over.
 */
import { type Connection, type Database, Prisma, run, wasCutOff } from '../database.ts';
import type { AuditPosition, AuditRecord } from '../port.ts';

export interface AuditRow extends AuditPosition {
  body: AuditRecord;
}

export interface Walk {
  /** Words that the index knows; `where` and `match` are asked of what it finds. */
  words: string[];
  where: Prisma.Sql;
  match: Prisma.Sql;
  /** The newest that counts, and the time before which nothing does. */
  from: Date;
  since: Date | undefined;
  wanted: number;
  walkMs: number;
  timeoutMs: number;
}

export interface Found {
  rows: AuditRow[];
  /** What lies before it was not seen; null: there is nothing. */
  reached: AuditPosition | null;
}

/** Null where a day has too much to be found in the time there is. */
export async function walkDays(db: Database, walk: Walk): Promise<Found | null> {
  try {
    return await run(() => db.$transaction((tx) => walked(tx, walk)));
  } catch (error) {
    if (wasCutOff(error)) return null;
    throw error;
  }
}

async function walked(db: Connection, walk: Walk): Promise<Found> {
  // The planner knows neither days nor words, and would read everything; compiling costs more than it saves.
  await db.$queryRaw`
    SELECT set_config('statement_timeout', ${String(walk.timeoutMs)}, true), set_config('enable_seqscan', 'off', true),
           set_config('jit', 'off', true)`;
  const days = await daysOf(db, walk);
  const rows = await rowsOn(
    db,
    days.filter(({ hits }) => hits > 0).map(({ day }) => day),
    walk,
  );
  const last = days.at(-1);
  return { rows, reached: last && !last.oldest ? { at: new Date(last.day), id: FIRST_ID } : null };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Day {
  /** YYYY-MM-DD */
  day: string;
  hits: number;
  oldest: boolean;
}

/** Newest first, with what was found on each, as far as it is wanted; one at least where anything is left. */
function daysOf(
  db: Connection,
  { words, where, match, from, since, wanted, walkMs }: Walk,
): Promise<Day[]> {
  return db.$queryRaw<Day[]>`
    WITH RECURSIVE oldest AS (
      SELECT (min(at) AT TIME ZONE 'UTC')::date AS day FROM audit_events
       WHERE at >= ${since ?? '-infinity'}::timestamptz),
    walk (day, hits, found) AS (
      SELECT (${from}::timestamptz AT TIME ZONE 'UTC')::date + 1, NULL::int, 0
       UNION ALL
      SELECT w.day - 1, n.hits, w.found + n.hits
        FROM walk w
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS hits
           FROM (SELECT FROM (${onDay(words, Prisma.sql`w.day - 1`)}) e WHERE ${where} AND ${match} LIMIT ${wanted}) f) n
       WHERE w.found < ${wanted} AND w.day > (SELECT day FROM oldest)
         AND (w.hits IS NULL OR clock_timestamp() < statement_timestamp() + ${`${walkMs} ms`}::interval))
    SELECT day::text, hits, day <= (SELECT day FROM oldest) AS oldest FROM walk ORDER BY walk.day DESC OFFSET 1`;
}

async function rowsOn(
  db: Connection,
  days: string[],
  { words, where, match, wanted }: Walk,
): Promise<AuditRow[]> {
  if (days.length === 0) return [];
  return db.$queryRaw<AuditRow[]>`
    SELECT found.*
      FROM unnest(${days}::text[]::date[]) d (day)
     CROSS JOIN LATERAL (
       SELECT e.id, e.at, e.body FROM (${onDay(words, Prisma.sql`d.day`)}) e
        WHERE ${where} AND ${match} ORDER BY e.at DESC, e.id DESC LIMIT ${wanted}) found
     ORDER BY at DESC, id DESC LIMIT ${wanted}`;
}

/** OFFSET 0 keeps all else that is asked out of it, so that no other index seems as good. */
function onDay(words: string[], day: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM audit_events
     WHERE audit_day_words(words, (at AT TIME ZONE 'UTC')::date) @> audit_day_words(${words}::text[], ${day}) OFFSET 0`;
}
