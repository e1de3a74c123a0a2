/**
 * Lists the built-in registry as a tree, one level at a time: folders, then path segments, then
 * repositories.
 */

import { FOLDER, inFolders, UNDER_ROOT } from '../accounts/folder-filter.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { namespaceOf, ROOT } from './image-index.ts';
import type { TreeFilter, TreeNode } from './records.ts';

type Sums = 'repositories' | 'tagCount' | 'size';
type Row = Omit<TreeNode, Sums> & { [Sum in Sums]: bigint };
/** An empty page still has the total. */
type Found = { total: bigint } & (Row | { [Column in keyof Row]: null });

/** Filtered before aggregation, so that no count or size reveals what the caller may not read. */
export async function listTree(
  db: Database,
  filter: TreeFilter,
): Promise<{ items: TreeNode[]; total: number }> {
  const { path, page, pageSize } = filter;
  const level = path === null ? foldersOf(filter) : segmentsUnder(path, filter);
  const rows = await run(
    () => db.$queryRaw<Found[]>`
      WITH level AS (${level})
      SELECT counted.total, paged.*
        FROM (SELECT count(*) AS total FROM level) counted
        LEFT JOIN (SELECT * FROM level ORDER BY name = ${ROOT}, name
                    LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) paged ON TRUE
       ORDER BY name = ${ROOT}, name`,
  );
  return { items: rows.filter(isRow).map(toNode), total: Number(rows[0]?.total ?? 0) };
}

const SUMS = Prisma.sql`coalesce(sum(r.tag_count), 0)::bigint AS "tagCount", coalesce(sum(r.size), 0)::bigint AS size,
  max(r.updated_at) AS "updatedAt"`;

/** Includes folders without repositories: images can be pushed to them. */
function foldersOf({ folders }: TreeFilter): Prisma.Sql {
  const readable =
    folders === 'all' ? Prisma.sql`TRUE` : Prisma.sql`folders.name = ANY (${[...folders]}::text[])`;
  return Prisma.sql`
    SELECT folders.name, folders.name AS path, FALSE AS "isRepository", count(r.name) AS repositories, ${SUMS}
      FROM folders
      LEFT JOIN (SELECT r.*, ${FOLDER} AS folder FROM local_repositories r WHERE r.tag_count > 0) r
        ON r.folder = folders.name
     WHERE ${readable}
     GROUP BY folders.name`;
}

/** Segments of the root folder: repositories whose first segment is not a folder. */
function segmentsUnder(path: string, { folders }: TreeFilter): Prisma.Sql {
  const base = path === ROOT ? '' : `${path}/`;
  const below =
    path === ROOT
      ? UNDER_ROOT
      : Prisma.sql`r.namespace = ${namespaceOf(base)} AND starts_with(r.name, ${base})`;
  return Prisma.sql`
    SELECT name, ${base} || name AS path, bool_or(own) AS "isRepository",
           count(*) FILTER (WHERE NOT own) AS repositories, ${SUMS}
      FROM (SELECT r.tag_count, r.size, r.updated_at, split_part(rest, '/', 1) AS name, strpos(rest, '/') = 0 AS own
              FROM local_repositories r, substr(r.name, ${base.length + 1}::int) AS rest
             WHERE r.tag_count > 0 AND ${below} AND ${inFolders(folders)}) r
     GROUP BY name`;
}

function isRow(row: Found): row is { total: bigint } & Row {
  return row.name !== null;
}

function toNode({
  name,
  path,
  isRepository,
  repositories,
  tagCount,
  size,
  updatedAt,
}: Row): TreeNode {
  return {
    name,
    path,
    isRepository,
    repositories: Number(repositories),
    tagCount: Number(tagCount),
    size: Number(size),
    updatedAt,
  };
}
