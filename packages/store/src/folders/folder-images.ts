/** A page of a folder's images. */
import { type FolderImageOrder, STANDING_GROUPS } from '@portcullis/domain';
import { type Database, Prisma, run } from '../database.ts';
import { searchedIn } from '../images/searched-images.ts';
import { placedImages } from './placed-images.ts';
import type { FolderImage, FolderImageFilter } from './records.ts';

const MOST_TAGS = 5;
const MOST_BLOCKING = 5;

type CountRow = Record<'critical' | 'high' | 'medium' | 'low' | 'unknown', number>;
type Row = Omit<FolderImage, 'counts' | 'size'> & CountRow & { size: bigint | null };
/** An empty page still has the total. */
type Found = { total: number } & (Row | { [Column in keyof Row]: null });

export async function listFolderImages(
  db: Database,
  { folder, standing, q, sort = 'urgency', page, pageSize }: FolderImageFilter,
): Promise<{ items: FolderImage[]; total: number }> {
  const wanted = Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(standing === undefined ? [] : [Prisma.sql`p.standing = ${standing}`]),
      searchedIn(IMAGES, q),
    ],
    ' AND ',
  );
  const rows = await run(
    () => db.$queryRaw<Found[]>`
      WITH ${placedImages([folder])},
      found AS (SELECT p.*, ${URGENCY} AS urgency, i.critical, i.high, i.medium, i.low, i.unknown,
                       i.scanned_at
                  FROM placed p LEFT JOIN image_reports i ON i.digest = p.digest
                 WHERE ${wanted}),
      page AS (SELECT * FROM found ORDER BY ${ORDERS[sort]}
                LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize})
      SELECT counted.total, f.repository, f.digest, f.tag_count AS "tagCount", f.size,
             f.pushed_at AS "pushedAt", f.standing, s.code,
             s.blocking[1:${MOST_BLOCKING}::int] AS blocking,
             coalesce(cardinality(s.blocking), 0) AS "blockingTotal", s.since,
             f.grace_until AS "graceUntil", f.scanned_at AS "scannedAt",
             f.critical, f.high, f.medium, f.low, f.unknown,
             ARRAY(SELECT t.tag FROM local_tags t
                    WHERE t.repository = f.repository AND t.digest = f.digest
                    ORDER BY t.updated_at DESC, t.tag LIMIT ${MOST_TAGS}) AS tags
        FROM (SELECT count(*)::int AS total FROM found) counted
        LEFT JOIN page f ON TRUE
        LEFT JOIN image_standings s ON s.repository = f.repository AND s.digest = f.digest
       ORDER BY ${ORDERS[sort]}`,
  );
  return { items: rows.filter(isRow).map(toImage), total: rows[0]?.total ?? 0 };
}

const URGENCY = Prisma.sql`array_position(${[...STANDING_GROUPS]}::text[], p.standing)`;
const WORST_FIRST = Prisma.sql`critical DESC NULLS LAST, high DESC NULLS LAST,
  medium DESC NULLS LAST, low DESC NULLS LAST`;
const WORST_LAST = Prisma.sql`critical NULLS LAST, high NULLS LAST, medium NULLS LAST,
  low NULLS LAST`;
const NEWEST_FIRST = Prisma.sql`pushed_at DESC, repository, digest`;

/** Equal ones are by urgency, and then newest first, so that each has one place. */
const ORDERS: Record<FolderImageOrder, Prisma.Sql> = {
  urgency: Prisma.sql`urgency, ${WORST_FIRST}, ${NEWEST_FIRST}`,
  '-urgency': Prisma.sql`urgency DESC, ${WORST_LAST}, ${NEWEST_FIRST}`,
  repository: Prisma.sql`repository, urgency, ${NEWEST_FIRST}`,
  '-repository': Prisma.sql`repository DESC, urgency, ${NEWEST_FIRST}`,
  findings: Prisma.sql`${WORST_LAST}, urgency, ${NEWEST_FIRST}`,
  '-findings': Prisma.sql`${WORST_FIRST}, urgency, ${NEWEST_FIRST}`,
  size: Prisma.sql`size NULLS LAST, urgency, ${NEWEST_FIRST}`,
  '-size': Prisma.sql`size DESC NULLS LAST, urgency, ${NEWEST_FIRST}`,
};

const IMAGES = {
  repository: Prisma.sql`p.repository`,
  tags: Prisma.sql`t.repository = p.repository AND t.digest = p.digest`,
  findsTags: true,
};

function isRow(row: Found): row is { total: number } & Row {
  return row.repository !== null;
}

function toImage(row: { total: number } & Row): FolderImage {
  const { total: _, critical, high, medium, low, unknown, size, blocking, ...image } = row;
  return {
    ...image,
    size: Number(size ?? 0),
    blocking: blocking ?? [],
    counts:
      image.scannedAt === null
        ? null
        : { CRITICAL: critical, HIGH: high, MEDIUM: medium, LOW: low, UNKNOWN: unknown },
  };
}
