/** What scans found, by their day: of tagged images, and of jobs. */
import type { SeverityCounts } from '@portcullis/domain';
import { type Database, type Prisma, run } from '../database.ts';
import type { FindingDay } from './records.ts';

interface CountedScans {
  /** A condition for `local_repositories r`: images with a tag in these count. */
  repositories: Prisma.Sql;
  /** A condition for `staging_jobs j`: these count besides the jobs of such images. */
  jobs: Prisma.Sql;
  since: Date;
}

type CountRow = Record<'critical' | 'high' | 'medium' | 'low' | 'unknown', bigint | number>;

/** The next scan of an image overwrites its report; each job keeps its own counts. */
export async function findingDays(
  db: Database,
  { repositories, jobs, since }: CountedScans,
): Promise<FindingDay[]> {
  const rows = await run(
    () => db.$queryRaw<(CountRow & { day: string; images: bigint })[]>`
    WITH tagged AS (
      SELECT DISTINCT t.digest FROM local_tags t JOIN local_repositories r ON r.name = t.repository
       WHERE ${repositories}),
    scans AS (
      SELECT i.digest, i.scanned_at AS at, i.critical, i.high, i.medium, i.low, i.unknown
        FROM image_reports i JOIN tagged USING (digest) WHERE i.scanned_at >= ${since}
       UNION ALL
      SELECT j.digest, begun.at, (c ->> 'CRITICAL')::int, (c ->> 'HIGH')::int, (c ->> 'MEDIUM')::int,
             (c ->> 'LOW')::int, (c ->> 'UNKNOWN')::int
        FROM staging_jobs j
       CROSS JOIN LATERAL (SELECT j.vuln_result -> 'counts' AS c) counted
       CROSS JOIN LATERAL (
         SELECT max((e ->> 'at')::timestamptz) AS at FROM jsonb_array_elements(j.timeline) e
          WHERE e ->> 'status' = 'scanning') begun
       WHERE j.updated_at >= ${since} AND begun.at >= ${since} AND j.digest IS NOT NULL
         AND j.vuln_result ->> 'enabled' = 'true'
         AND (${jobs} OR j.digest IN (SELECT digest FROM tagged))),
    newest AS (
      SELECT DISTINCT ON (day, digest) *
        FROM (SELECT *, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM scans) dated
       ORDER BY day, digest, at DESC)
    SELECT day, count(*) AS images, sum(critical) AS critical, sum(high) AS high, sum(medium) AS medium,
           sum(low) AS low, sum(unknown) AS unknown
      FROM newest GROUP BY day ORDER BY day`,
  );
  return rows.map(({ day, images, ...row }) => ({
    day,
    images: Number(images),
    counts: countsOf(row),
  }));
}

export function countsOf(row: CountRow): SeverityCounts {
  return {
    CRITICAL: Number(row.critical),
    HIGH: Number(row.high),
    MEDIUM: Number(row.medium),
    LOW: Number(row.low),
    UNKNOWN: Number(row.unknown),
  };
}
