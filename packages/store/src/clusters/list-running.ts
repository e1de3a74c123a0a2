/**
 * Where images run that an account may pull. Rows are joined by repository and by the rights on its
 * folder, never by digest alone: the same image may be in a folder that the account may not read.
 */
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import { cursorInvalid, isStorable, listIn, pageSize } from '../page.ts';
import type { FoundRunning, RunningFilter, RunningImage } from './records.ts';
import { silentClusters } from './silent-clusters.ts';

const MOST_TAGS = 20;

/**
 * What agents report, and what the webhook admitted: a report is the whole of what runs of the
 * folders that it speaks of, so that what was admitted there before and is not in it ended.
 */
const ran = (silent: readonly string[]): Prisma.Sql => Prisma.sql`
  SELECT a.repository, a.digest, a.cluster, a.namespace, c.reported_at AS seen_at,
         'agent' AS source, a.cluster = ANY (${[...silent]}::text[]) AS silent,
         FALSE AS is_before, NULL::jsonb AS spoken
    FROM reported_images a JOIN clusters c ON c.name = a.cluster
  UNION ALL
  SELECT n.repository, n.digest, n.cluster, n.namespace, n.seen_at, 'admission', FALSE,
         c.reported_at IS NOT NULL AND n.seen_at <= c.reported_at, c.folders
    FROM running_images n JOIN clusters c ON c.name = n.cluster
   WHERE NOT EXISTS (SELECT FROM reported_images a
                      WHERE a.cluster = n.cluster AND a.namespace = n.namespace
                        AND a.repository = n.repository AND a.digest = n.digest)`;

/** Where it is asked what runs. */
export interface RunningScope {
  folders: 'all' | readonly string[];
  /** Only this one. */
  folder?: string | undefined;
  /** Of `silentClusters`; none where it does not matter. */
  silent: readonly string[];
}

/**
 * What runs of these folders: `repository`, `folder`, `digest`, `cluster`, `namespace`, `source`,
 * `seen_at`, `silent`. A repository that was removed and made again is another one, whose readers
 * may be others.
 */
export function runningIn({ folders, folder, silent }: RunningScope): Prisma.Sql {
  const asked = folder === undefined ? Prisma.sql`TRUE` : Prisma.sql`${FOLDER} = ${folder}`;
  return Prisma.sql`
    SELECT ran.repository, ${FOLDER} AS folder, ran.digest, ran.cluster, ran.namespace, ran.source,
           ran.seen_at, ran.silent
      FROM (${ran(silent)}) ran
      JOIN local_repositories r ON r.name = ran.repository AND ran.seen_at >= r.created_at
     WHERE ${inFolders(folders)} AND ${asked}
       AND NOT (ran.is_before AND (ran.spoken IS NULL OR jsonb_exists(ran.spoken, ${FOLDER})))`;
}

/** Of rows as `runningIn` has them: null where there are none. */
export const COUNTS = Prisma.sql`
  CASE WHEN count(*) > 0 THEN json_build_object(
    'namespaces', count(DISTINCT (cluster, namespace)), 'clusters', count(DISTINCT cluster),
    'silentNamespaces', count(DISTINCT (cluster, namespace))
      - count(DISTINCT (cluster, namespace)) FILTER (WHERE NOT silent),
    'seenAt', max(seen_at)) END`;

/**
 * By digest, where it runs: a bit for each namespace, for each that is not known from a silent
 * agent alone, and for each cluster, so that those of many digests are counted without a row for
 * each.
 */
export function bitsOfRunning(scope: RunningScope): Prisma.Sql {
  return Prisma.sql`
    SELECT digest, bit_or(set_bit(no.namespaces, namespace - 1, 1)) AS namespaces,
           bit_or(set_bit(no.namespaces, namespace - 1, (NOT silent)::int)) AS heard,
           bit_or(set_bit(no.clusters, cluster - 1, 1)) AS clusters, max(seen_at) AS seen_at
      FROM (SELECT digest, seen_at, silent,
                   dense_rank() OVER (ORDER BY cluster, namespace)::int AS namespace,
                   dense_rank() OVER (ORDER BY cluster)::int AS cluster
              FROM (${runningIn(scope)}) all_of_them) ranked
     CROSS JOIN (SELECT repeat('0', count(DISTINCT (cluster, namespace))::int)::varbit AS namespaces,
                        repeat('0', count(DISTINCT cluster)::int)::varbit AS clusters
                   FROM (${runningIn(scope)}) all_of_them) no
     GROUP BY digest`;
}

/** Of rows as `bitsOfRunning` has them. */
export const NAMESPACES = Prisma.sql`bit_count(bit_or(ran.namespaces))::int`;
export const COUNTED_BITS = Prisma.sql`json_build_object(
  'namespaces', ${NAMESPACES}, 'clusters', bit_count(bit_or(ran.clusters))::int,
  'silentNamespaces', ${NAMESPACES} - bit_count(bit_or(ran.heard))::int,
  'seenAt', max(ran.seen_at))`;

/** Whether what runs is an image, or one that it lists. */
export function isOf(repository: Prisma.Sql, digest: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (ran.digest = ${digest} OR ran.digest IN (
       SELECT c.digest FROM local_contents c
        WHERE c.repository = ${repository} AND c.parent = ${digest} AND c.is_manifest))`;
}

export async function listRunning(db: Database, { limit, cursor, ...filter }: RunningFilter) {
  const size = pageSize(limit);
  const silent = await silentClusters(db);
  const found = matching(filter, silent);
  const [rows, counts] = await Promise.all([
    run(
      () => db.$queryRaw<RunningImage[]>`
        WITH found AS (${found})
        SELECT repository, folder, digest, cluster, namespace, source, seen_at AS "seenAt", silent,
               ARRAY(SELECT t.tag FROM local_tags t
                      WHERE t.repository = found.repository AND t.digest = found.digest
                      ORDER BY t.tag LIMIT ${MOST_TAGS}) AS tags
          FROM found WHERE ${after(cursor)}
         ORDER BY repository, digest, cluster, namespace LIMIT ${size + 1}`,
    ),
    run(
      () => db.$queryRaw<{ counts: FoundRunning | null }[]>`
        SELECT ${COUNTS} AS counts FROM (${found}) found`,
    ),
  ]);
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return {
    items,
    counts: toCounts(counts[0]?.counts ?? null),
    nextCursor: rows.length > size && last ? encode(last) : null,
  };
}

/** JSON has times as text. */
export function toCounts(found: FoundRunning | null) {
  return found && { ...found, seenAt: new Date(found.seenAt) };
}

type Matched = Omit<RunningFilter, 'limit' | 'cursor'>;

function matching(
  { folders, repository, digest, vulnerability, cluster, namespace }: Matched,
  silent: readonly string[],
): Prisma.Sql {
  const conditions = [
    Prisma.sql`TRUE`,
    ...(repository === undefined ? [] : [Prisma.sql`ran.repository = ${repository}`]),
    ...(digest === undefined ? [] : [isOf(Prisma.sql`ran.repository`, Prisma.sql`${digest}`)]),
    ...(vulnerability === undefined
      ? []
      : [
          Prisma.sql`ran.digest IN (
            SELECT f.digest FROM image_findings f WHERE f.vulnerability = ${vulnerability})`,
        ]),
    ...(cluster === undefined ? [] : [Prisma.sql`ran.cluster = ${cluster}`]),
    ...(namespace === undefined ? [] : [Prisma.sql`ran.namespace = ${namespace}`]),
  ];
  return Prisma.sql`
    SELECT * FROM (${runningIn({ folders, silent })}) ran WHERE ${Prisma.join(conditions, ' AND ')}`;
}

function encode({ repository, digest, cluster, namespace }: RunningImage): string {
  const position = [repository, digest, cluster, namespace];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws invalid `CURSOR_INVALID` */
function after(cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`TRUE`;
  const position = listIn(cursor);
  if (position.length !== 4 || !position.every(isText)) throw cursorInvalid();
  return Prisma.sql`(repository, digest, cluster, namespace) > (${Prisma.join(position)})`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}
