/** Lists transfers: counts and bytes are computed from their jobs in the same statement. */
import type { Database } from '../database.ts';
import { isId, Prisma, run } from '../database.ts';
import { IS_BLOCKED } from '../jobs/list/job-list.ts';
import type { Page } from '../page.ts';
import { pageSize } from '../page.ts';
import type { Transfer, TransferFilter } from './records.ts';
import { transferConditions } from './transfer-filter.ts';
import { afterCursor, cursorOf, orderOf } from './transfer-sort.ts';

export async function findTransfer(db: Database, id: string): Promise<Transfer | null> {
  if (!isId(id)) return null;
  const [found] = await read(db, Prisma.sql`t.id = ${id}::uuid`, 1);
  return found ?? null;
}

export async function changedTransfers(
  db: Database,
  { jobIds, ids }: { jobIds: readonly string[]; ids: readonly string[] },
): Promise<Transfer[]> {
  const where = Prisma.sql`(t.id = ANY (${ids.filter(isId)}::uuid[]) OR t.id IN (
    SELECT transfer_id FROM staging_jobs WHERE id = ANY (${jobIds.filter(isId)}::uuid[])))`;
  return read(db, where, ids.length + jobIds.length);
}

export async function listTransfers(db: Database, filter: TransferFilter): Promise<Page<Transfer>> {
  const { cursor, sort = '-created_at' } = filter;
  const limit = pageSize(filter.limit);
  const where = transferConditions(filter);
  const [rows, total] = await Promise.all([
    read(db, Prisma.sql`${where} AND ${afterCursor(sort, cursor)}`, limit + 1, orderOf(sort)),
    count(db, where),
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, total, nextCursor: rows.length > limit && last ? cursorOf(sort, last) : null };
}

async function count(db: Database, where: Prisma.Sql): Promise<number> {
  const [row] = await run(
    () => db.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM transfers t JOIN users u ON u.id = t.owner_id WHERE ${where}`,
  );
  return row?.total ?? 0;
}

/** Pushed only by the privilege of an account. */
const IS_BYPASSED = Prisma.sql`(status = 'pushed' AND pushes -> -1 ->> 'bypassed' IS NOT NULL)`;
const MOST_BYPASSES = 10;

/** The rows of the page are chosen first: only their jobs are counted. */
function read(
  db: Database,
  where: Prisma.Sql,
  limit: number,
  order = orderOf('-created_at'),
): Promise<Transfer[]> {
  return run(
    () => db.$queryRaw<Transfer[]>`
      WITH page AS (
             SELECT t.*, u.username, row_number() OVER (ORDER BY ${order}) AS place
               FROM transfers t
               JOIN users u ON u.id = t.owner_id
              WHERE ${where}
              ORDER BY ${order}
              LIMIT ${limit})
      SELECT t.id, t.owner_id AS "ownerId", t.username AS "ownerName", t.schedule_id AS "scheduleId",
             (SELECT name FROM transfer_schedules WHERE id = t.schedule_id) AS "scheduleName",
             t."order" - 'entries' AS "order", t."order" -> 'entries' -> 0 AS "firstEntry",
             jsonb_array_length(t."order" -> 'entries') AS "entryCount", t.created_at AS "createdAt",
             COALESCE(jobs.counts, '{}') AS counts, COALESCE(jobs.blocked, 0)::int AS blocked,
             COALESCE(jobs.refused, 0)::int AS refused, COALESCE(jobs.bypassed, 0)::int AS bypassed,
             COALESCE(bypasses.list, '[]') AS bypasses,
             jsonb_build_object('total', COALESCE(jobs.total, 0), 'done', COALESCE(jobs.done, 0),
                                'reused', COALESCE(jobs.reused, 0), 'mounted', COALESCE(jobs.mounted, 0)) AS bytes,
             COALESCE(selections.list, '[]') AS selections
        FROM page t
        LEFT JOIN LATERAL (
             SELECT jsonb_object_agg(status, n) AS counts, sum(blocked) AS blocked,
                    sum(blocked) FILTER (WHERE status = 'failed') AS refused, sum(bypassed) AS bypassed,
                    sum(total) AS total, sum(done) AS done, sum(reused) AS reused, sum(mounted) AS mounted
               FROM (SELECT status, count(*) AS n, count(*) FILTER (WHERE ${IS_BLOCKED}) AS blocked,
                            count(*) FILTER (WHERE ${IS_BYPASSED}) AS bypassed,
                            sum(size) AS total,
                            sum((pushes -> -1 ->> 'bytesDone')::bigint) AS done,
                            sum((pushes -> -1 ->> 'bytesMounted')::bigint) AS mounted,
                            sum((progress ->> 'bytesReused')::bigint)
                              FILTER (WHERE status IN ('pushing', 'pushed')) AS reused
                       FROM staging_jobs WHERE transfer_id = t.id GROUP BY status) AS by_status) AS jobs ON true
        LEFT JOIN LATERAL (
             SELECT jsonb_agg(jsonb_build_object('by', who, 'reason', why) ORDER BY nth, who) AS list
               FROM (SELECT who, why, row_number() OVER (PARTITION BY who ORDER BY why) AS nth
                       FROM (SELECT DISTINCT pushes -> -1 ->> 'requestedBy' AS who,
                                    pushes -> -1 -> 'bypass' ->> 'reason' AS why
                               FROM staging_jobs
                              WHERE jobs.bypassed > 0 AND transfer_id = t.id AND ${IS_BYPASSED}) AS every
                      ORDER BY nth, who LIMIT ${MOST_BYPASSES}) AS answers) AS bypasses ON true
        LEFT JOIN LATERAL (
             SELECT jsonb_agg(jsonb_build_object(
                      'position', s.position, 'entry', t."order" -> 'entries' -> s.position, 'state', s.state,
                      'tagsSeen', s.tags_seen, 'jobsMade', s.jobs_made,
                      'skipped', s.skipped, 'error', s.error) ORDER BY s.position) AS list
               FROM transfer_selections s WHERE s.transfer_id = t.id) AS selections ON true
       ORDER BY t.place`,
  );
}
