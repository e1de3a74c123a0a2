/** The notifications of an account, without those that its rights of now hide. */
import { isNotificationKind, NOTIFICATION_TARGETS } from '@portcullis/domain';
import { inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import type { PageOptions } from '../page.ts';
import { decodeCursor, encodeCursor, pageSize } from '../page.ts';
import type { NotificationPage, NotificationReader, StoredNotification } from './records.ts';

type Row = Omit<StoredNotification, 'kind' | 'target'> & { kind: string; target: string };

export async function listNotifications(
  db: Database,
  reader: NotificationReader,
  { limit, cursor }: PageOptions,
): Promise<NotificationPage> {
  const size = pageSize(limit);
  const visible = visibleTo(reader);
  const [rows, counted] = await run(() =>
    Promise.all([
      db.$queryRaw<Row[]>`
        SELECT r.id::text, r.kind, r.subject, r.target, r.target_id AS "targetId", r.repository,
               r.facts, r.created_at AS "createdAt", r.read_at AS "readAt"
          FROM ${visible} AND ${after(cursor)}
         ORDER BY r.created_at DESC, r.id DESC LIMIT ${size + 1}`,
      db.$queryRaw<{ unread: number }[]>`
        SELECT count(*)::int AS unread FROM ${visible} AND r.read_at IS NULL`,
    ]),
  );
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).flatMap(toNotification),
    unread: counted[0]?.unread ?? 0,
    nextCursor: last ? encodeCursor(last.createdAt, last.id) : null,
  };
}

/** With the column that `inFolders` compares. */
function visibleTo({ userId, isAdmin, folders, reviews }: NotificationReader): Prisma.Sql {
  const ofFolder =
    folders === 'all' ? Prisma.sql`TRUE` : Prisma.sql`r.folder = ANY (${[...folders]}::text[])`;
  return Prisma.sql`
    (SELECT n.*, CASE WHEN strpos(n.repository, '/') > 0 THEN split_part(n.repository, '/', 1)
                      ELSE '' END AS namespace
       FROM notifications n WHERE n.user_id = ${userId}::uuid) r
    WHERE (r.repository IS NULL OR ${inFolders(folders)})
      AND (r.kind NOT IN ('waiver.waiting', 'review.waiting') OR (${reviews} AND (r.folder IS NULL OR ${ofFolder})))
      AND (r.kind <> 'review.commented' OR r.folder IS NULL OR ${ofFolder}
           OR EXISTS (SELECT 1 FROM reviews v
                       WHERE v.number = CASE WHEN r.target = 'review' THEN r.target_id::int END
                         AND v.requested_by_id = ${userId}::uuid))
      AND (r.target <> 'job' OR ${isAdmin}
           OR NOT EXISTS (SELECT 1 FROM staging_jobs j
                           WHERE j.id = CASE WHEN r.target = 'job' THEN r.target_id::uuid END AND j.owner_id <> ${userId}::uuid))`;
}

function after(cursor: string | null | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`TRUE`;
  const { at, id } = decodeCursor(cursor);
  return Prisma.sql`(r.created_at, r.id) < (${at}::timestamptz, ${id}::uuid)`;
}

/** Those of a newer release are left out. */
function toNotification({ kind, target: name, facts, ...row }: Row): StoredNotification[] {
  const target = NOTIFICATION_TARGETS.find((each) => each === name);
  if (!isNotificationKind(kind) || target === undefined) return [];
  return [{ ...row, kind, target, facts }];
}
