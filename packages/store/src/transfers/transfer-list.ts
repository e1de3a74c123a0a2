/** Lists transfers: counts and bytes are computed from their jobs in the same statement. */
import type { Database } from '../database.ts';
import { isId, Prisma, run } from '../database.ts';
import { IS_BLOCKED } from '../jobs/list/job-list.ts';
import { decodeCursor, encodeCursor, pageSize } from '../page.ts';
import type { Page, Transfer } from '../port.ts';

interface ListFilter {
  ownerId?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

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

export async function listTransfers(db: Database, filter: ListFilter): Promise<Page<Transfer>> {
  const { ownerId, cursor } = filter;
  const limit = pageSize(filter.limit);
  const owned =
    ownerId === undefined ? Prisma.sql`true` : Prisma.sql`t.owner_id = ${ownerId}::uuid`;
  const [rows, total] = await Promise.all([
    read(db, Prisma.sql`${owned} AND ${after(cursor)}`, limit + 1),
    run(() => db.transfer.count({ where: ownerId === undefined ? {} : { ownerId } })),
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total,
    nextCursor: rows.length > limit && last ? encodeCursor(last.createdAt, last.id) : null,
  };
}

function after(cursor: string | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`true`;
  const { at, id } = decodeCursor(cursor);
  return Prisma.sql`(t.created_at, t.id) < (${at}, ${id}::uuid)`;
}

function read(db: Database, where: Prisma.Sql, limit: number): Promise<Transfer[]> {
  return run(
    () => db.$queryRaw<Transfer[]>`
      SELECT t.id, t.owner_id AS "ownerId", u.username AS "ownerName", t.schedule_id AS "scheduleId",
             t."order" - 'entries' AS "order", t.created_at AS "createdAt",
             COALESCE(jobs.counts, '{}') AS counts, COALESCE(jobs.blocked, 0)::int AS blocked,
             COALESCE(jobs.refused, 0)::int AS refused,
             jsonb_build_object('total', COALESCE(jobs.total, 0), 'done', COALESCE(jobs.done, 0),
                                'reused', COALESCE(jobs.reused, 0), 'mounted', COALESCE(jobs.mounted, 0)) AS bytes,
             COALESCE(selections.list, '[]') AS selections
        FROM transfers t
        JOIN users u ON u.id = t.owner_id
        LEFT JOIN LATERAL (
             SELECT jsonb_object_agg(status, n) AS counts, sum(blocked) AS blocked,
                    sum(blocked) FILTER (WHERE status = 'failed') AS refused, sum(total) AS total, sum(done) AS done,
                    sum(reused) AS reused, sum(mounted) AS mounted
               FROM (SELECT status, count(*) AS n, count(*) FILTER (WHERE ${IS_BLOCKED}) AS blocked, sum(size) AS total,
                            sum((pushes -> -1 ->> 'bytesDone')::bigint) AS done,
                            sum((pushes -> -1 ->> 'bytesMounted')::bigint) AS mounted,
                            sum((progress ->> 'bytesReused')::bigint)
                              FILTER (WHERE status IN ('pushing', 'pushed')) AS reused
                       FROM staging_jobs WHERE transfer_id = t.id GROUP BY status) AS by_status) AS jobs ON true
        LEFT JOIN LATERAL (
             SELECT jsonb_agg(jsonb_build_object(
                      'position', s.position, 'entry', t."order" -> 'entries' -> s.position, 'state', s.state,
                      'tagsSeen', s.tags_seen, 'jobsMade', s.jobs_made, 'error', s.error) ORDER BY s.position) AS list
               FROM transfer_selections s WHERE s.transfer_id = t.id) AS selections ON true
       WHERE ${where}
       ORDER BY t.created_at DESC, t.id DESC
       LIMIT ${limit}`,
  );
}
