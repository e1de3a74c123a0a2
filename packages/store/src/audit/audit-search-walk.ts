/**
 * A search by the word index, which has an entry for each word and day. It walks back day by day
 * until the page is full or its time is over; it skips years without matches as fast as a week.
 */

import type { AuditEvent } from '@portcullis/domain';
import { type Connection, type Database, isStatementTimeout, Prisma, run } from '../database.ts';
import type { AuditPosition } from './records.ts';

export interface AuditRow extends AuditPosition {
  body: AuditEvent;
}

export interface Walk {
  /** Indexed words; `where` and `match` are applied to the events found by them. */
  words: string[];
  where: Prisma.Sql;
  match: Prisma.Sql;
  /** The newest position to include, and the time at which the search ends. */
  from: Date;
  since: Date | undefined;
  wanted: number;
  walkMs: number;
  timeoutMs: number;
}

export interface Found {
  rows: AuditRow[];
  /** Everything older than this was not searched; null where the search reached the end. */
  reached: AuditPosition | null;
}

/** Returns null where one day has too many matches for the time available. */
export async function walkDays(db: Database, walk: Walk): Promise<Found | null> {
  try {
    return await run(() => db.$transaction((tx) => walkPages(tx, walk)));
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

async function walkPages(db: Connection, walk: Walk): Promise<Found> {
  // The planner knows the statistics of neither days nor words and would read everything; JIT
  // compilation costs more than it saves.
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

/**
 * Newest first, with the matches of each day up to the limit; at least one day where any is left.
 */
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

/**
 * OFFSET 0 keeps the other conditions out of the subquery, so that no other index looks cheaper.
 */
function onDay(words: string[], day: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM audit_events
     WHERE audit_day_words(words, (at AT TIME ZONE 'UTC')::date) @> audit_day_words(${words}::text[], ${day}) OFFSET 0`;
}
