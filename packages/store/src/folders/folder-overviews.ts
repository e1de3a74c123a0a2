/** Queries of the folder pages: a fixed number for each, however many images a folder has. */

import { STANDING_GROUPS, type StandingGroup } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import { ROOT } from '../images/image-index.ts';
import { listActivity } from './folder-activity.ts';
import { usedBytes } from './folder-contents.ts';
import { listFolderImages } from './folder-images.ts';
import { countOf, placedImages } from './placed-images.ts';
import type { FolderFigures, FolderImageFilter, GroupMembers } from './records.ts';

export function createFolderOverviews(db: Database) {
  return {
    /** By name, the root folder last; folders without images as well. */
    figures: (folders: 'all' | readonly string[]) => figures(db, folders),
    /** Bytes of the blobs and manifests of its repositories, each digest counted once. */
    bytes: (folder: string) => usedBytes(db, folder),
    /** The most urgent first. */
    images: (filter: FolderImageFilter) => listFolderImages(db, filter),
    /** Groups with a grant on the folder, by name. */
    groups: (folderId: string) => groups(db, folderId),
    /** The newest first. */
    activity: (folder: { id: string; name: string }, limit: number) =>
      listActivity(db, folder, limit),
  };
}

type FigureRow = Omit<FolderFigures, 'images'> & Record<StandingGroup, number>;

async function figures(db: Database, folders: 'all' | readonly string[]): Promise<FolderFigures[]> {
  const readable =
    folders === 'all' ? Prisma.sql`TRUE` : Prisma.sql`f.name = ANY (${[...folders]}::text[])`;
  const counts = STANDING_GROUPS.map(
    (group) => Prisma.sql`${countOf(group)} AS ${Prisma.raw(group)}`,
  );
  const known = STANDING_GROUPS.map((group) => {
    const column = Prisma.raw(group);
    return Prisma.sql`coalesce(i.${column}, 0) AS ${column}`;
  });
  const rows = await run(
    () => db.$queryRaw<FigureRow[]>`
      WITH ${placedImages(folders)},
      images AS (
        SELECT folder, ${Prisma.join(counts)},
               count(*) FILTER (WHERE grace_until IS NOT NULL)::int AS in_grace
          FROM placed GROUP BY folder),
      repositories AS (
        SELECT ${FOLDER} AS folder, count(*)::int AS repositories,
               sum(r.tag_count)::int AS tags, max(r.updated_at) AS updated_at
          FROM local_repositories r WHERE r.tag_count > 0 AND ${inFolders(folders)} GROUP BY 1)
      SELECT f.id::text AS id, f.name, f.description, coalesce(r.repositories, 0) AS repositories,
             coalesce(r.tags, 0) AS tags, r.updated_at AS "updatedAt", ${Prisma.join(known)},
             coalesce(i.in_grace, 0) AS "inGrace"
        FROM folders f
        LEFT JOIN repositories r ON r.folder = f.name
        LEFT JOIN images i ON i.folder = f.name
       WHERE ${readable}
       ORDER BY f.name = ${ROOT}, f.name`,
  );
  return rows.map(({ blocked, findings, unscanned, clean, artifact, ...row }) => ({
    ...row,
    images: { blocked, findings, unscanned, clean, artifact },
  }));
}

const MOST_MEMBERS = 20;

function groups(db: Database, folderId: string): Promise<GroupMembers[]> {
  return run(
    () => db.$queryRaw<GroupMembers[]>`
      SELECT g.group_id::text AS "groupId", named.name AS "groupName",
             g.can_pull AS "canPull", g.can_push AS "canPush",
             g.can_pull_external AS "canPullExternal", g.can_push_external AS "canPushExternal",
             coalesce((array_agg(u.username ORDER BY u.username)
                       FILTER (WHERE u.id IS NOT NULL))[1:${MOST_MEMBERS}::int], '{}') AS members,
             count(u.id)::int AS "memberCount"
        FROM folder_grants g
        JOIN groups named ON named.id = g.group_id
        LEFT JOIN group_members m ON m.group_id = g.group_id
        LEFT JOIN users u ON u.id = m.user_id AND NOT u.disabled
       WHERE g.folder_id = ${folderId}::uuid
       GROUP BY g.folder_id, g.group_id, named.name
       ORDER BY named.name`,
  );
}
