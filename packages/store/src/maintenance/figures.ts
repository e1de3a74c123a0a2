/** Figures of the overview page: one or two queries each, limited to what the caller may see. */

import type { JobStatus, Verdict } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { IS_BLOCKED } from '../jobs/list/job-list.ts';
import { countsOf, findingDays } from './finding-days.ts';
import type {
  FigureScope,
  FindingFigures,
  ImageFigures,
  JobFigures,
  JobScope,
  TrendScope,
} from './records.ts';

const LISTED = 10;

export function createFigures(db: Database) {
  return {
    images: (scope: FigureScope) => images(db, scope),
    findings: (scope: FigureScope) => findings(db, scope),
    jobs: (scope: JobScope) => jobs(db, scope),
    /** Of tagged images, by the day of the scan; days without a scan are omitted. */
    trend: ({ folder, repository, since }: TrendScope) =>
      findingDays(db, {
        repositories: Prisma.sql`${inFolders([folder])} AND ${inRepository(repository)}`,
        jobs: Prisma.sql`FALSE`,
        since,
      }),
    /** Of people, without robots. */
    async accounts(): Promise<{ users: number; admins: number; disabled: number }> {
      const [row] = await run(
        () => db.$queryRaw<{ users: bigint; admins: bigint; disabled: bigint }[]>`
          SELECT count(*) AS users, count(*) FILTER (WHERE is_admin) AS admins,
                 count(*) FILTER (WHERE disabled) AS disabled FROM users WHERE auth_source <> 'robot'`,
      );
      return {
        users: Number(row?.users),
        admins: Number(row?.admins),
        disabled: Number(row?.disabled),
      };
    },
  };
}

function inRepository(repository: string | null): Prisma.Sql {
  return repository === null ? Prisma.sql`TRUE` : Prisma.sql`r.name = ${repository}`;
}

interface FolderRow {
  folder: string | null;
  repositories: bigint;
  tags: bigint;
  bytes: bigint;
}

/** The counted repositories: by name, with the folder that governs them. */
function visible({ folders }: FigureScope): Prisma.Sql {
  return Prisma.sql`
    visible AS MATERIALIZED (
      SELECT r.name, r.tag_count, r.size, r.updated_at, ${FOLDER} AS folder
        FROM local_repositories r WHERE r.tag_count > 0 AND ${inFolders(folders)})`;
}

/** A blob in two folders counts in both of them, and once in the total. */
async function images(db: Database, scope: FigureScope): Promise<ImageFigures> {
  const [rows, largest] = await run(() =>
    Promise.all([
      db.$queryRaw<FolderRow[]>`
        WITH ${visible(scope)},
        blobs AS (
          SELECT v.folder, c.digest, max(c.size) AS size FROM visible v
            JOIN local_contents c ON c.repository = v.name GROUP BY v.folder, c.digest
           UNION
          SELECT v.folder, m.digest, m.size FROM visible v JOIN local_manifests m ON m.repository = v.name),
        sizes AS (
          SELECT folder, sum(size) AS bytes FROM (
            SELECT folder, digest, max(size) AS size FROM blobs GROUP BY folder, digest) each GROUP BY folder
           UNION ALL
          SELECT NULL, sum(size) FROM (SELECT digest, max(size) AS size FROM blobs GROUP BY digest) once)
        SELECT n.folder, n.repositories, n.tags, coalesce(s.bytes, 0)::bigint AS bytes
          FROM (SELECT folder, count(*) AS repositories, coalesce(sum(tag_count), 0)::bigint AS tags
                  FROM visible GROUP BY ROLLUP (folder)) n
          LEFT JOIN sizes s ON s.folder IS NOT DISTINCT FROM n.folder
         ORDER BY bytes DESC, n.folder`,
      db.$queryRaw<
        { name: string; folder: string; tagCount: number; size: bigint; updatedAt: Date }[]
      >`
        WITH ${visible(scope)}
        SELECT name, folder, tag_count AS "tagCount", size, updated_at AS "updatedAt"
          FROM visible ORDER BY size DESC, name LIMIT ${LISTED}`,
    ]),
  );
  const all = rows.find(({ folder }) => folder === null);
  return {
    ...totalsOf(all),
    folders: rows.flatMap(({ folder, ...row }) =>
      folder === null ? [] : [{ folder, ...totalsOf(row) }],
    ),
    largest: largest.map((row) => ({ ...row, size: Number(row.size) })),
  };
}

function totalsOf(row: Omit<FolderRow, 'folder'> | undefined) {
  const { repositories = 0n, tags = 0n, bytes = 0n } = row ?? {};
  return { repositories: Number(repositories), tags: Number(tags), bytes: Number(bytes) };
}

type CountRow = Parameters<typeof countsOf>[0];
type SumRow = CountRow & { scanned: bigint; unscanned: bigint; fixable: bigint };
type WorstRow = CountRow &
  Omit<FindingFigures['worst'][number], 'counts' | 'verdict'> & { verdict: string | null };

/** An image counts once, however many tags it has. */
async function findings(db: Database, scope: FigureScope): Promise<FindingFigures> {
  const [sums, worst, days] = await run(() =>
    Promise.all([
      db.$queryRaw<SumRow[]>`
        WITH ${visible(scope)},
        tagged AS (SELECT DISTINCT t.digest FROM local_tags t JOIN visible v ON v.name = t.repository)
        SELECT count(i.digest) AS scanned, count(*) - count(i.digest) AS unscanned,
               coalesce(sum(i.critical), 0) AS critical, coalesce(sum(i.high), 0) AS high,
               coalesce(sum(i.medium), 0) AS medium, coalesce(sum(i.low), 0) AS low,
               coalesce(sum(i.unknown), 0) AS unknown, coalesce(sum(i.fixable), 0) AS fixable
          FROM tagged LEFT JOIN image_reports i ON i.digest = tagged.digest`,
      db.$queryRaw<WorstRow[]>`
        WITH ${visible(scope)},
        worst AS (
          SELECT DISTINCT ON (t.digest) t.repository, t.tag, i.*
            FROM local_tags t JOIN visible v ON v.name = t.repository
            JOIN image_reports i ON i.digest = t.digest
           WHERE i.critical + i.high + i.medium + i.low + i.unknown > 0
           ORDER BY t.digest, t.updated_at DESC)
        SELECT w.repository, w.tag, w.digest, w.critical, w.high, w.medium, w.low, w.unknown,
               w.scanned_at AS "scannedAt",
               (SELECT j.verdict FROM staging_jobs j WHERE j.digest = w.digest AND j.verdict <> 'pending'
                 ORDER BY j.created_at DESC LIMIT 1) AS verdict
          FROM worst w
         ORDER BY w.critical DESC, w.high DESC, w.medium DESC, w.low DESC, w.unknown DESC, w.repository
         LIMIT ${LISTED}`,
      findingDays(db, {
        repositories: inFolders(scope.folders),
        jobs: ownedBy(scope),
        since: scope.since,
      }),
    ]),
  );
  const [sum] = sums;
  const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
  return {
    scanned: Number(sum?.scanned ?? 0),
    unscanned: Number(sum?.unscanned ?? 0),
    counts: countsOf(sum ?? none),
    fixable: Number(sum?.fixable ?? 0),
    days,
    worst: worst.map(({ repository, tag, digest, scannedAt, verdict, ...row }) => ({
      repository,
      tag,
      digest,
      scannedAt,
      verdict: verdict as Verdict | null,
      counts: countsOf(row),
    })),
  };
}

function ownedBy({ ownerId }: Pick<FigureScope, 'ownerId'>): Prisma.Sql {
  return ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`owner_id = ${ownerId}::uuid`;
}

interface DayRow {
  day: string;
  status: string;
  blocked: boolean;
  jobs: bigint;
  recent: bigint;
}

async function jobs(db: Database, scope: JobScope): Promise<JobFigures> {
  const rows = await run(
    () => db.$queryRaw<DayRow[]>`
      SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, status,
             ${IS_BLOCKED} AS blocked, count(*) AS jobs,
             count(*) FILTER (WHERE created_at >= ${scope.recent}) AS recent
        FROM staging_jobs WHERE ${ownedBy(scope)} AND created_at >= ${scope.since}
       GROUP BY 1, 2, 3 ORDER BY 1`,
  );
  const byStatus: JobFigures['byStatus'] = {};
  const days = new Map<string, JobFigures['days'][number]>();
  for (const { day, status, blocked, jobs: counted } of rows) {
    const number = Number(counted);
    const known = status as JobStatus;
    byStatus[known] = (byStatus[known] ?? 0) + number;
    const sum = days.get(day) ?? { day, total: 0, pushed: 0, failed: 0, blocked: 0 };
    sum.total += number;
    if (blocked) sum.blocked += number;
    else if (status === 'pushed' || status === 'failed') sum[status] += number;
    days.set(day, sum);
  }
  return {
    byStatus,
    days: [...days.values()],
    blocked: rows.reduce(
      (sum, { blocked, jobs: counted }) => sum + (blocked ? Number(counted) : 0),
      0,
    ),
    recentlyFailed: rows.reduce(
      (sum, { status, blocked, recent }) =>
        sum + (status === 'failed' && !blocked ? Number(recent) : 0),
      0,
    ),
  };
}
