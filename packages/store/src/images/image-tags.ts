/** Lists the tags of a repository from the index. */
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { likePattern } from '../like.ts';
import type { Page } from '../page.ts';
import { pageSize } from '../page.ts';
import type { IndexedTag, TagFilter } from './records.ts';
import { cursorAfterTag, RANK, type RankedTag, STANDING, tagsAfter, tagsBy } from './tag-order.ts';

type Row = Omit<RankedTag, 'size'> & { size: bigint };

/** A manifest that has not been described yet has no media type and no size. */
export async function listIndexedTags(
  db: Database,
  repository: string,
  { q, standing, order = '-updated_at', limit, cursor }: TagFilter,
): Promise<Page<IndexedTag>> {
  const size = pageSize(limit);
  const wanted = Prisma.sql`t.repository = ${repository} AND ${matching(q)} AND ${standsIn(standing)}`;
  const [rows, counted] = await run(() =>
    Promise.all([
      db.$queryRaw<Row[]>`
        SELECT t.tag, t.digest, t.updated_at AS "updatedAt",
               coalesce(m.media_type, '') AS "mediaType", coalesce(m.total_size, 0) AS size,
               coalesce(m.platforms, '{}') AS platforms, ${RANK} AS rank,
               (SELECT j.verdict FROM staging_jobs j
                 WHERE j.digest = t.digest AND j.verdict <> 'pending'
                 ORDER BY j.created_at DESC LIMIT 1) AS verdict
          FROM ${TAGS}
         WHERE ${wanted} AND ${tagsAfter(order, cursor)}
         ORDER BY ${tagsBy(order)} LIMIT ${size + 1}`,
      db.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total FROM ${TAGS} WHERE ${wanted}`,
    ]),
  );
  const found = rows.slice(0, size).map((row) => ({ ...row, size: Number(row.size) }));
  const items = found.map(({ rank: _, ...tag }) => tag);
  const last = found.at(-1);
  const total = Number(counted[0]?.total ?? 0);
  return {
    items,
    total,
    nextCursor: rows.length > size && last ? cursorAfterTag(order, last) : null,
  };
}

/** PostgreSQL reads the joined tables only where a column of them is needed. */
const TAGS = Prisma.sql`
  local_tags t
  LEFT JOIN local_manifests m ON m.repository = t.repository AND m.digest = t.digest
  LEFT JOIN image_standings s ON s.repository = t.repository AND s.digest = t.digest`;

function standsIn(standing: TagFilter['standing']): Prisma.Sql {
  return standing === undefined ? Prisma.sql`TRUE` : Prisma.sql`${STANDING} = ${standing}`;
}

function matching(q: string | undefined): Prisma.Sql {
  if (!q) return Prisma.sql`TRUE`;
  return Prisma.sql`(lower(t.tag) LIKE ${likePattern(q.toLowerCase())} OR t.digest = ${q})`;
}

/** Case-insensitive, then by character: the order of the index `local_tags_order_idx`. */
const ORDER = Prisma.sql`lower(t.tag) COLLATE "C", t.tag COLLATE "C"`;

export async function tagPage(
  db: Database,
  repository: string,
  { after: last = '', limit }: { after: string | undefined; limit: number },
): Promise<string[] | null> {
  const rows = await run(
    () => db.$queryRaw<{ tag: string }[]>`
      SELECT t.tag FROM local_tags t
       WHERE t.repository = ${repository} AND (${ORDER}) > (lower(${last}::text) COLLATE "C", ${last}::text COLLATE "C")
       ORDER BY ${ORDER} LIMIT ${limit}`,
  );
  if (rows.length > 0) return rows.map(({ tag }) => tag);
  const where = { name: repository };
  return (await run(() => db.localRepository.count({ where }))) > 0 ? [] : null;
}
