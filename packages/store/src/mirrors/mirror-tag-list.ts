/** A page of the tags of a mirror, with how each stands to its upstream, and their numbers. */
import { GATE_CODES, searchedWords } from '@portcullis/domain';
import {
  MIRROR_TAG_STATES,
  type MirrorTagOrder,
  type MirrorTagState,
} from '@portcullis/domain/mirror';
import { type Database, Prisma, run } from '../database.ts';
import { firstSighting } from '../images/sightings.ts';
import { likePattern } from '../like.ts';
import type { ListedMirrorTag, MirrorFigures, MirrorTagFilter } from './records.ts';

/** The condition of the domain's `isBlocked`, for a job that pushes by itself. */
const BLOCKED = Prisma.sql`(
  j.status = 'failed' AND j.error ->> 'code' IN (${Prisma.join([...GATE_CODES])}))`;
/** The condition of the domain's `isSettled`. */
const OPEN = Prisma.sql`(j.status NOT IN ('staged', 'pushed', 'failed', 'cancelled'))`;
/** The domain's `sourceOfHere`. */
export const SOURCE = Prisma.sql`
  CASE WHEN l.digest = t.good_digest THEN coalesce(t.good_source, l.digest) ELSE l.digest END`;

const STATE = Prisma.sql`
  CASE WHEN l.digest IS NULL AND ${BLOCKED} THEN 'refused'
       WHEN l.digest IS NULL AND ${OPEN} THEN 'coming'
       WHEN l.digest IS NULL THEN 'failed'
       WHEN t.fault IS NOT NULL AND (t.fault ->> 'gone')::boolean THEN 'withdrawn'
       WHEN t.fault IS NOT NULL THEN 'unanswered'
       WHEN t.upstream_digest IS NULL OR t.upstream_digest = ${SOURCE} THEN 'current'
       WHEN ${OPEN} THEN 'coming'
       ELSE 'behind' END`;

/** A reference that is neither here nor on its way is of no use to a reader of the list. */
function shownTags(folder: string): Prisma.Sql {
  return Prisma.sql`
    listed AS (
      SELECT t.*, l.digest AS here, ${STATE} AS state,
             j.id AS bringing_id, j.owner_id, j.status, j.verdict, j.error, j.updated_at
        FROM mirror_tags t
        LEFT JOIN local_tags l ON l.repository = t.repository AND l.tag = t.reference
        LEFT JOIN staging_jobs j ON j.id = t.job_id AND j.source_digest = t.upstream_digest
       WHERE split_part(t.repository, '/', 1) = ${folder} AND strpos(t.reference, ':') = 0
         AND (l.digest IS NOT NULL OR ${OPEN} OR j.status = 'failed'))`;
}

type Row = Omit<ListedMirrorTag, 'job'> & {
  jobId: string | null;
} & NonNullable<ListedMirrorTag['job']>;
/** An empty page still has the total. */
type Found = { total: number } & (Row | { [Column in keyof Row]: null });

export async function listMirrorTags(
  db: Database,
  { folder, state, q, sort = 'urgency', page, pageSize }: MirrorTagFilter,
): Promise<{ items: ListedMirrorTag[]; total: number }> {
  const words = searchedWords((q ?? '').toLowerCase());
  const wanted = Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(state === undefined ? [] : [Prisma.sql`state = ${state}`]),
      ...words.map(
        (word) => Prisma.sql`lower(repository || ':' || reference) LIKE ${likePattern(word)}`,
      ),
    ],
    ' AND ',
  );
  const rows = await run(
    () => db.$queryRaw<Found[]>`
      WITH ${shownTags(folder)},
      found AS (SELECT * FROM listed WHERE ${wanted}),
      page AS (SELECT * FROM found ORDER BY ${ORDERS[sort]}
                LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize})
      SELECT counted.total, repository, reference AS tag, state, here,
             upstream_digest AS "upstreamDigest",
             ${firstSighting(Prisma.sql`upstream_digest`)} AS "seenAt",
             nullif(ripe_digest, upstream_digest) AS "ripeDigest", fault, good_at AS "goodAt",
             coalesce(here = good_digest AND good_source <> good_digest, FALSE) AS reduced,
             checked_at AS "checkedAt", due_at AS "dueAt", used_at AS "usedAt",
             bringing_id::text AS "jobId", owner_id::text AS "ownerId", status, verdict, error,
             updated_at AS "updatedAt"
        FROM (SELECT count(*)::int AS total FROM found) counted
        LEFT JOIN page ON TRUE
       ORDER BY ${ORDERS[sort]}`,
  );
  return { items: rows.filter(isRow).map(toTag), total: rows[0]?.total ?? 0 };
}

const URGENCY = Prisma.sql`array_position(${[...MIRROR_TAG_STATES]}::text[], state)`;
const NAME = Prisma.sql`repository, reference`;

const ORDERS: Record<MirrorTagOrder, Prisma.Sql> = {
  urgency: Prisma.sql`${URGENCY}, ${NAME}`,
  name: NAME,
  '-name': Prisma.sql`repository DESC, reference DESC`,
  passed_at: Prisma.sql`good_at NULLS LAST, ${NAME}`,
  '-passed_at': Prisma.sql`good_at DESC NULLS LAST, ${NAME}`,
  used_at: Prisma.sql`used_at, ${NAME}`,
  '-used_at': Prisma.sql`used_at DESC, ${NAME}`,
};

function isRow(row: Found): row is { total: number } & Row {
  return row.repository !== null;
}

function toTag({ total: _, ...row }: { total: number } & Row): ListedMirrorTag {
  const { jobId, ownerId, status, verdict, error, updatedAt, ...tag } = row;
  const job = jobId === null ? null : { id: jobId, ownerId, status, verdict, error, updatedAt };
  return { ...tag, job };
}

export async function countMirrorTags(db: Database, folder: string): Promise<MirrorFigures> {
  const rows = await run(
    () => db.$queryRaw<{ state: MirrorTagState; count: number; week: number }[]>`
      WITH ${shownTags(folder)}
      SELECT state, count(*)::int AS count,
             count(*) FILTER (WHERE here IS NOT NULL AND good_at > now() - interval '7 days')::int AS week
        FROM listed GROUP BY state`,
  );
  const tags = { ...NO_TAGS };
  for (const { state, count } of rows) tags[state] = count;
  return { tags, passedThisWeek: rows.reduce((sum, { week }) => sum + week, 0) };
}

const NO_TAGS: Record<MirrorTagState, number> = {
  ...{ refused: 0, behind: 0, failed: 0, withdrawn: 0, unanswered: 0, coming: 0, current: 0 },
};
