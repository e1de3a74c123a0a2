/**
 * What happened in a folder last: pushes as the index knows them, and which of them a privilege let
 * through, announced changes of standings, its waivers, and its review requests.
 */
import { inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import { newestBypass } from '../images/gate-bypasses.ts';
import type { FolderEvent } from './records.ts';

export function listActivity(
  db: Database,
  folder: { id: string; name: string },
  limit: number,
): Promise<FolderEvent[]> {
  return run(
    () => db.$queryRaw<FolderEvent[]>`
      SELECT CASE WHEN bypass.by IS NULL THEN event.kind ELSE 'bypassed' END AS kind, event.at,
             event.repository, event.digest, event.tag, event.vulnerability,
             event.waiver AS "waiverId", event.review, coalesce(bypass.by, event.by) AS by
        FROM (${events(folder, limit)}) event
        LEFT JOIN LATERAL (${BYPASS}) bypass ON event.kind = 'pushed'
       ORDER BY event.at DESC, event.kind, event.repository, event.digest, event.waiver, event.review`,
  );
}

/** Of the push that the event is: a later one of the same image may have needed no privilege. */
const BYPASS = Prisma.sql`
  SELECT pass.by FROM (${newestBypass(Prisma.sql`event.repository`, Prisma.sql`event.digest`)}) pass
   WHERE pass.tag = event.tag AND event.at <= pass.at + interval '1 minute'`;

function events({ id, name }: { id: string; name: string }, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM ((${pushes(name, limit)}) UNION ALL (${standings(name, limit)})
                   UNION ALL (${waivers(id, limit)}) UNION ALL (${reviews(id, limit)})) every
     ORDER BY at DESC, kind, repository, digest, waiver, review LIMIT ${limit}`;
}

/** Several tags of an image are one push, with the newest of them. */
function pushes(folder: string, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT 'pushed' AS kind, max(t.updated_at) AS at, t.repository, t.digest,
           (array_agg(t.tag ORDER BY t.updated_at DESC, t.tag))[1] AS tag,
           NULL AS vulnerability, NULL AS waiver, NULL::int AS review, NULL AS by
      FROM local_tags t JOIN local_repositories r ON r.name = t.repository
     WHERE ${inFolders([folder])}
     GROUP BY t.repository, t.digest
     ORDER BY at DESC, t.repository, t.digest LIMIT ${limit}`;
}

function standings(folder: string, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT CASE WHEN s.passes THEN 'cleared' ELSE 'blocked' END, s.changed_at, s.repository,
           s.digest, (SELECT min(t.tag) FROM local_tags t
                       WHERE t.repository = s.repository AND t.digest = s.digest), NULL, NULL, NULL, NULL
      FROM image_standings s JOIN local_repositories r ON r.name = s.repository
     WHERE s.passes IS NOT NULL AND s.changed_at IS NOT NULL AND ${inFolders([folder])}
     ORDER BY s.changed_at DESC, s.repository, s.digest LIMIT ${limit}`;
}

/**
 * An approval is the last change of an approved waiver. Waivers that a review left behind are the
 * decision of that review until they are revoked.
 */
function waivers(folderId: string, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT done.kind, done.at, NULL, NULL, NULL, w.vulnerability, w.id::text, NULL, done.by
      FROM waivers w JOIN users u ON u.id = w.requested_by_id
     CROSS JOIN LATERAL (
       VALUES ('waiver_requested', w.created_at, u.username),
              (CASE w.state WHEN 'approved' THEN 'waiver_approved' END, w.updated_at, NULL),
              (CASE w.state WHEN 'rejected' THEN 'waiver_rejected'
                            WHEN 'revoked' THEN 'waiver_revoked' END, w.closed_at, w.closed_by))
       AS done (kind, at, by)
     WHERE w.folder_id = ${folderId}::uuid AND done.kind IS NOT NULL AND done.at IS NOT NULL
       AND (w.review_number IS NULL OR done.kind = 'waiver_revoked')
     ORDER BY done.at DESC, w.id LIMIT ${limit}`;
}

/** A request has ended by its time, whether or not that was recorded. */
function reviews(folderId: string, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT done.kind, done.at, v.repository, v.digest, v.target_tag, NULL, NULL, v.number, done.by
      FROM reviews v JOIN users u ON u.id = v.requested_by_id
     CROSS JOIN LATERAL (
       VALUES ('review_requested', v.created_at, u.username),
              (CASE WHEN v.state <> 'open' THEN 'review_' || v.state END, v.closed_at, v.closed_by),
              (CASE WHEN v.state = 'open' AND v.ends_at <= now() THEN 'review_expired' END,
               v.ends_at, NULL))
       AS done (kind, at, by)
     WHERE v.folder_id = ${folderId}::uuid AND done.kind IS NOT NULL
     ORDER BY done.at DESC, v.number LIMIT ${limit}`;
}
