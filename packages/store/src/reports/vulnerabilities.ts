/** Vulnerabilities of tagged images: one query counts them, another describes those of a page. */
import { SEVERITIES, type Severity } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { bitsOfRunning, COUNTED_BITS, NAMESPACES, toCounts } from '../clusters/list-running.ts';
import type { FoundRunning } from '../clusters/records.ts';
import { silentClusters } from '../clusters/silent-clusters.ts';
import { type Database, Prisma, run } from '../database.ts';
import { likePattern } from '../like.ts';
import { pageSize } from '../page.ts';
import { listOwners } from './folder-owners.ts';
import { type Counting, likely } from './likely-vulnerabilities.ts';
import type { FoundVulnerability, VulnerabilityFilter } from './records.ts';
import {
  afterCursor,
  cursorOf,
  orderOf,
  type RankedVulnerability,
  scoreTable,
} from './vulnerability-order.ts';

export function createVulnerabilities(db: Database) {
  return {
    async list(
      filter: VulnerabilityFilter,
    ): Promise<{ items: FoundVulnerability[]; nextCursor: string | null }> {
      const { sort = '-risk' } = filter;
      const size = filter.batch ?? pageSize(filter.limit);
      // One row more than requested shows whether there is a next page.
      const rows = await countedPage(db, { ...filter, sort }, size + 1);
      const page = rows.slice(0, size);
      const ids = page.map(({ id }) => id);
      const described = ids.length === 0 ? [] : await describe(db, filter, ids);
      const byId = new Map(described.map((each) => [each.id, each]));
      const items = page.flatMap((row) => {
        const about = byId.get(row.id);
        return about ? [toVulnerability(row, about)] : [];
      });
      const last = page.at(-1);
      return { items, nextCursor: rows.length > size && last ? cursorOf(sort, last) : null };
    },
    /**
     * The ids of all that a judged image ever had, or of those that are known since then. With a
     * text, of those alone that have it in their id or in the name of a package.
     */
    async known({
      since,
      text,
    }: Pick<VulnerabilityFilter, 'since' | 'text'> = {}): Promise<string[]> {
      const sought =
        text === undefined
          ? Prisma.sql`SELECT vulnerability AS id FROM known_vulnerabilities
                        WHERE ${since ?? null}::timestamptz IS NULL OR first_seen_at >= ${since ?? null}`
          : Prisma.sql`SELECT DISTINCT vulnerability AS id FROM image_findings f
                        WHERE ${matching({ text, since })}`;
      const [row] = await run(
        () => db.$queryRaw<{ ids: string[] | null }[]>`
          SELECT array_agg(id) AS ids FROM (${sought}) sought`,
      );
      return row?.ids ?? [];
    },
    /** Whose the folders are, at most `limit` names of each kind. */
    owners: (folders: readonly string[], limit: number) => listOwners(db, folders, limit),
  };
}

type CountedRow = RankedVulnerability;

interface DescribedRow {
  id: string;
  title: string | null;
  packages: string[];
  fixedVersions: string[] | null;
  folders: string[];
  running: FoundRunning | null;
}

async function countedPage(db: Database, filter: Counting, size: number): Promise<CountedRow[]> {
  const counted = (of: Counting) => run(() => db.$queryRaw<CountedRow[]>(countedRows(of, size)));
  const part = likely(filter, size);
  if (part === null) return counted(filter);
  const rows = await counted(part.counting);
  const isPage = rows.length === size && rows.every(part.isBeforeOthers);
  return isPage ? rows : counted(filter);
}

/** Two steps of grouping, because counting distinct digests sorts all findings. */
function countedRows(filter: Counting, size: number): Prisma.Sql {
  return Prisma.sql`
    WITH placed AS (${ofTaggedImages(filter)}),
    weighed AS (SELECT digest, count(*)::int AS places FROM placed GROUP BY digest),
    found AS (
      SELECT f.vulnerability, f.digest, min(w.places) AS places, min(${RANK}) AS rank,
             bool_or(f.fixed_version <> '') AS fixable,
             min(f.first_seen_at) AS seen
        FROM image_findings f
        JOIN weighed w ON w.digest = f.digest
       WHERE ${matching(filter)}
       GROUP BY f.vulnerability, f.digest),
    summed AS (
      SELECT vulnerability AS id, min(rank) AS rank, sum(places)::int AS images,
             bool_or(fixable) IS TRUE AS fixable, min(seen) AS seen
        FROM found GROUP BY vulnerability),
    grouped AS (
      SELECT s.*, least(k.first_seen_at, s.seen) AS "firstSeenAt",
             coalesce(ran.namespaces, 0) AS running
        FROM summed s LEFT JOIN known_vulnerabilities k ON k.vulnerability = s.id
        LEFT JOIN (${namespacesOf(filter)}) ran ON ran.id = s.id)
    SELECT g.id, g.rank, g.images, g.running, g."firstSeenAt", e.score
      FROM grouped g
      LEFT JOIN ${scoreTable(filter.scores)} ON e.id = g.id
     WHERE ${keeping(filter)} AND ${afterCursor(filter.sort, filter.cursor)}
     ORDER BY ${orderOf(filter.sort)} LIMIT ${size}`;
}

/** For the orders that need it: it reads the findings of all that runs. */
function namespacesOf({ sort, folders, folder, ...filter }: Counting): Prisma.Sql {
  if (!sort.endsWith('running')) return Prisma.sql`SELECT NULL AS id, 0 AS namespaces WHERE FALSE`;
  return Prisma.sql`
    SELECT f.vulnerability AS id, ${NAMESPACES} AS namespaces
      FROM (${bitsOfRunning({ folders, folder, silent: [] })}) ran
      JOIN image_findings f ON f.digest = ran.digest
     WHERE ${matching(filter)}
     GROUP BY f.vulnerability`;
}

async function describe(
  db: Database,
  filter: VulnerabilityFilter,
  ids: readonly string[],
): Promise<DescribedRow[]> {
  const { folders, folder } = filter;
  const silent = await silentClusters(db);
  return run(
    () => db.$queryRaw<DescribedRow[]>`
      WITH placed AS (${ofTaggedImages({ ...filter, ids })}),
      ran AS (
        SELECT f.vulnerability AS id, ${COUNTED_BITS} AS counts
          FROM (${bitsOfRunning({ folders, folder, silent })}) ran
          JOIN image_findings f ON f.digest = ran.digest
         WHERE f.vulnerability = ANY (${[...ids]})
         GROUP BY f.vulnerability),
      described AS (
        SELECT f.vulnerability AS id, max(f.title) AS title,
             (array_agg(DISTINCT f.package))[1:10] AS packages,
             (array_agg(DISTINCT f.fixed_version) FILTER (WHERE f.fixed_version <> ''))[1:10]
               AS "fixedVersions",
             (array_agg(DISTINCT p.folder))[1:50] AS folders
        FROM image_findings f
        JOIN placed p ON p.digest = f.digest
       WHERE f.vulnerability = ANY (${[...ids]})
       GROUP BY f.vulnerability)
      SELECT d.*, ran.counts AS running FROM described d LEFT JOIN ran ON ran.id = d.id`,
  );
}

const RANK = Prisma.sql`CASE f.severity ${Prisma.join(
  SEVERITIES.map((severity) => Prisma.sql`WHEN ${severity} THEN ${rankOf(severity)}::int`),
  ' ',
)} END`;

/** Those of images without any of the named vulnerabilities need not be counted. */
function ofTaggedImages({ folders, folder, id, ids }: VulnerabilityFilter): Prisma.Sql {
  const isNamed = id !== undefined || ids !== undefined;
  const named = isNamed
    ? Prisma.sql`WHERE digest IN (SELECT f.digest FROM image_findings f WHERE ${matching({ id, ids })})`
    : Prisma.empty;
  const asked = folder === undefined ? Prisma.sql`TRUE` : Prisma.sql`${FOLDER} = ${folder}`;
  return Prisma.sql`
    SELECT t.digest, ${FOLDER} AS folder
      FROM (SELECT DISTINCT repository, digest FROM local_tags ${named}) t
      JOIN local_repositories r ON r.name = t.repository
     WHERE ${inFolders(folders)} AND ${asked}`;
}

type Matched = Pick<Counting, 'id' | 'ids' | 'text' | 'since' | 'isWorst'>;

function matching({ id, ids, text, since, isWorst = false }: Matched): Prisma.Sql {
  const pattern = likePattern(text ?? '');
  const conditions = [
    ...(id === undefined ? [] : [Prisma.sql`f.vulnerability = ${id}`]),
    ...(ids === undefined ? [] : [Prisma.sql`f.vulnerability = ANY (${[...ids]})`]),
    ...(text === undefined
      ? []
      : [Prisma.sql`(f.vulnerability ILIKE ${pattern} OR f.package ILIKE ${pattern})`]),
    ...(isWorst ? [Prisma.sql`f.vulnerability IN (${WORST})`] : []),
    ...(since === undefined ? [] : [Prisma.sql`NOT EXISTS (${knownBefore(since)})`]),
  ];
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`TRUE`;
}

const WORST = Prisma.sql`SELECT vulnerability FROM image_findings WHERE severity = ${SEVERITIES[0]}`;

/** Most are: they need not be counted. */
function knownBefore(since: Date): Prisma.Sql {
  return Prisma.sql`SELECT FROM known_vulnerabilities k
    WHERE k.vulnerability = f.vulnerability AND k.first_seen_at < ${since}`;
}

function keeping({ severity, fixable, since }: VulnerabilityFilter): Prisma.Sql {
  const conditions = [
    ...(severity === undefined ? [] : [Prisma.sql`g.rank = ${rankOf(severity)}`]),
    ...(fixable === undefined ? [] : [Prisma.sql`g.fixable = ${fixable}`]),
    ...(since === undefined ? [] : [Prisma.sql`g."firstSeenAt" >= ${since}`]),
  ];
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`TRUE`;
}

function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity) + 1;
}

function toVulnerability(row: CountedRow, about: DescribedRow): FoundVulnerability {
  return {
    id: row.id,
    severity: SEVERITIES[row.rank - 1] ?? 'UNKNOWN',
    title: about.title,
    packages: about.packages,
    fixedVersions: about.fixedVersions ?? [],
    images: row.images,
    folders: about.folders,
    firstSeenAt: row.firstSeenAt,
    running: toCounts(about.running),
  };
}
