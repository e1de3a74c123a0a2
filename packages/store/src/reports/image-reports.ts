/** Scan reports by digest: complete, and as rows for searching findings. */
import { hash } from 'node:crypto';
import type { PartReport, SeverityCounts } from '@portcullis/domain';
import {
  countBySeverity,
  factsOf,
  type ScanReport,
  SEVERITIES,
  type Severity,
  severityOf,
  statedFindings,
} from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import type { Connection, Database } from '../database.ts';
import { inTransaction, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import { pageSize } from '../page.ts';
import type { FindingFilter, ImageFinding, StoredReport } from './records.ts';
import { reportFacts } from './report-facts.ts';

const MOST_TITLE_CHARACTERS = 500;

/**
 * What a report of an index is about: `whole` is all of it that is here; `excerpt`, which replaces
 * no report of more, what one job brought in; `images`, of a re-match, those of the report before.
 */
type Covered = 'whole' | 'excerpt' | 'images';

export function createImageReports(db: Database) {
  return {
    /** Replaces older reports of the digest and of the manifests below it. */
    record: (
      report: StoredReport,
      parts: readonly PartReport[] = [],
      { covers = 'whole' }: { covers?: Covered } = {},
    ): Promise<void> =>
      inTransaction(db, async (tx) => {
        const { scannedAt } = report;
        const below = parts.map((part) => ({ ...part, scannedAt }));
        const covered = parts.map(({ digest }) => digest);
        const isLess = covers === 'excerpt' && (await hasMore(tx, report.digest, covered));
        const root = covers === 'images' ? report : { ...report, parts: covered };
        // Analyses of other manifests say nothing about these.
        if (covers === 'excerpt' && !isLess)
          await tx.imageAnalysis.deleteMany({ where: { digest: report.digest } });
        // In one order, because indexes may share parts.
        const all = [...(isLess ? [] : [root]), ...below].toSorted((one, other) =>
          one.digest < other.digest ? -1 : 1,
        );
        for (const each of all) await record(tx, each);
      }),
    async find(digest: string): Promise<StoredReport | null> {
      const row = await run(() => db.imageReport.findUnique({ where: { digest } }));
      if (!row) return null;
      const report = row.report as unknown as ScanReport;
      // A report that a newer database confirmed states it in the column alone.
      const scanner = { ...report.scanner, dbUpdatedAt: row.dbUpdatedAt };
      return { digest, report: { ...report, scanner }, scannedAt: row.scannedAt };
    },
    /**
     * Reports made with the database `from`, and those of the manifests below that they cover, are
     * the same with `to`; the dates are as the scanner wrote them. Returns how many still were of
     * `from`.
     */
    confirm: (digests: readonly string[], from: string | null, to: string): Promise<number> =>
      run(
        () => db.$executeRaw`
          UPDATE image_reports SET db_updated_at = ${to}
           WHERE db_updated_at IS NOT DISTINCT FROM ${from}
             AND (digest = ANY (${[...digests]}) OR digest IN (
                   SELECT c.digest FROM local_tags t
                     JOIN local_contents c ON c.repository = t.repository AND c.parent = t.digest
                     JOIN local_manifests m ON m.repository = c.repository AND m.digest = c.digest
                     JOIN image_reports i ON i.digest = t.digest
                    WHERE t.digest = ANY (${[...digests]}) AND c.is_manifest
                      AND (cardinality(i.parts) = 0 OR c.digest = ANY (i.parts))))`,
      ),
    async counts(digests: readonly string[]): Promise<Map<string, SeverityCounts>> {
      const where = { digest: { in: [...digests] } };
      const rows = await run(() => db.imageReport.findMany({ where, omit: { report: true } }));
      return new Map(
        rows.map(
          ({
            digest,
            critical: CRITICAL,
            high: HIGH,
            medium: MEDIUM,
            low: LOW,
            unknown: UNKNOWN,
          }) => [digest, { CRITICAL, HIGH, MEDIUM, LOW, UNKNOWN }],
        ),
      );
    },
    /** Since when the digest has each vulnerability of its report. */
    firstSeen: (digest: string): Promise<Map<string, Date>> =>
      run(() => firstSeen(db, Prisma.sql`SELECT * FROM image_findings WHERE digest = ${digest}`)),
    /** Without digests that have neither a report nor a failed scan. */
    facts: (digests: readonly string[]) => reportFacts(db, digests),
    /** Tagged images of the built-in registry, by repository. */
    search: (filter: FindingFilter) => search(db, filter),
    /** Removes reports of digests that no tag, index, job or scan references. */
    removeUnused: (before: Date): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM image_reports i
           WHERE i.scanned_at < ${before}
             AND NOT EXISTS (SELECT 1 FROM local_tags t WHERE t.digest = i.digest)
             AND NOT EXISTS (SELECT 1 FROM local_contents c WHERE c.digest = i.digest AND c.is_manifest)
             AND NOT EXISTS (SELECT 1 FROM staging_jobs j WHERE j.digest = i.digest)
             AND NOT EXISTS (SELECT 1 FROM image_scans s WHERE s.digest = i.digest)`,
      ),
  };
}

/** Whether the index has a report of all these manifests and of others. */
async function hasMore(tx: Connection, digest: string, parts: readonly string[]): Promise<boolean> {
  const row = await tx.imageReport.findUnique({ where: { digest }, select: { parts: true } });
  const known = new Set(row?.parts);
  return known.size > parts.length && parts.every((part) => known.has(part));
}

/** @param given with the manifests that it covers, or without where these are as before */
async function record(tx: Connection, given: StoredReport & { parts?: string[] }): Promise<void> {
  const { digest, parts } = given;
  const { scannedAt, isOvertaken } = await compare(tx, given);
  if (isOvertaken) return;
  const stored = json(given.report);
  // Of the same type, with texts that columns can store: names come from the image.
  const report = stored as unknown as ScanReport;
  const facts = json(factsOf(report));
  const covered = parts && { parts };
  const findingsHash = hashOf(report);
  const columns = {
    ...countColumns(report),
    ...{ facts, findingsHash, report: stored, scannedAt },
    ...covered,
  };
  await tx.imageReport.upsert({
    where: { digest },
    create: { digest, ...columns },
    update: columns,
  });
  const seen = await firstSeen(
    tx,
    Prisma.sql`DELETE FROM image_findings WHERE digest = ${digest} RETURNING *`,
  );
  await tx.imageFinding.createMany({
    data: findingsOf({ digest, report, scannedAt }, seen),
    skipDuplicates: true,
  });
}

/**
 * A scan may begin before an update and end after it, and workers may have different databases: the
 * newer database counts, and with the same one the later scan. A worker whose clock is ahead must
 * not keep later reports out, so no time is after that of PostgreSQL.
 */
async function compare(
  tx: Connection,
  { digest, report, scannedAt }: StoredReport,
): Promise<{ scannedAt: Date; isOvertaken: boolean }> {
  const { dbUpdatedAt } = report.scanner;
  const database = Prisma.sql`${dbUpdatedAt}::timestamptz`;
  const [row] = await tx.$queryRaw<{ at: Date; isOvertaken: boolean }[]>`
    SELECT given.at, EXISTS (
      SELECT 1 FROM image_reports
       WHERE digest = ${digest}
         AND (db_updated_at::timestamptz > ${database}
              OR (scanned_at >= given.at
                  AND COALESCE(db_updated_at::timestamptz >= ${database}, true)))) AS "isOvertaken"
      FROM (SELECT LEAST(${scannedAt}::timestamptz, now()) AS at) AS given`;
  return { scannedAt: row?.at ?? scannedAt, isOvertaken: row?.isOvertaken ?? false };
}

function countColumns({ vulnerabilities, scanner, gaps = [] }: ScanReport) {
  const counts = countBySeverity(vulnerabilities);
  const fixable = vulnerabilities.filter(({ packages }) =>
    packages.some((each) => each.fixedVersion),
  );
  return {
    critical: counts.CRITICAL,
    high: counts.HIGH,
    medium: counts.MEDIUM,
    low: counts.LOW,
    unknown: counts.UNKNOWN,
    fixable: fixable.length,
    scannerVersion: scanner.version,
    dbUpdatedAt: scanner.dbUpdatedAt,
    gaps: [...new Set(gaps.map(({ kind }) => kind))],
  };
}

/** Of what is stated of it; null where it did not judge all packages. */
function hashOf(report: ScanReport): string | null {
  return report.coverage === 'full' ? hash('sha256', JSON.stringify(statedFindings(report))) : null;
}

/** Since when a digest has each vulnerability of these findings. */
async function firstSeen(db: Connection, findings: Prisma.Sql): Promise<Map<string, Date>> {
  const rows = await db.$queryRaw<{ vulnerability: string; at: Date }[]>`
    WITH found AS (${findings})
    SELECT vulnerability, min(first_seen_at) AS at FROM found GROUP BY vulnerability`;
  return new Map(rows.map(({ vulnerability, at }) => [vulnerability, at]));
}

function findingsOf(
  { digest, report: { vulnerabilities }, scannedAt }: StoredReport,
  seen: ReadonlyMap<string, Date>,
): Prisma.ImageFindingCreateManyInput[] {
  const rows = vulnerabilities.flatMap((found) =>
    found.packages.map((each) => ({
      digest,
      vulnerability: found.id,
      package: each.name,
      installedVersion: each.installedVersion,
      fixedVersion: each.fixedVersion,
      severity: severityOf(found, each),
      firstSeenAt: seen.get(found.id) ?? scannedAt,
      title: found.title?.slice(0, MOST_TITLE_CHARACTERS) ?? null,
    })),
  );
  // Of a package that occurs twice, at two paths, the first row is kept.
  return rows.toSorted(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
}

interface FoundRow extends Omit<ImageFinding, 'severity'> {
  severity: string;
}

async function search(db: Database, filter: FindingFilter) {
  const size = pageSize(filter.limit);
  const rows = await run(
    () => db.$queryRaw<FoundRow[]>`
      SELECT r.name AS repository, ${FOLDER} AS folder, f.digest,
             (SELECT array_agg(named.tag) FROM
               (SELECT t.tag FROM local_tags t WHERE t.repository = r.name AND t.digest = f.digest
                 ORDER BY t.tag LIMIT 20) named) AS tags,
             (SELECT count(*)::int FROM local_tags t
               WHERE t.repository = r.name AND t.digest = f.digest) AS "tagCount",
             f.vulnerability, f.severity, f.package, f.installed_version AS "installedVersion",
             f.fixed_version AS "fixedVersion", i.scanned_at AS "scannedAt"
        FROM image_findings f
        JOIN image_reports i ON i.digest = f.digest
        JOIN (SELECT DISTINCT repository, digest FROM local_tags) t ON t.digest = f.digest
        JOIN local_repositories r ON r.name = t.repository
       WHERE ${matching(filter)} AND ${inFolders(filter.folders)} AND ${after(filter.cursor)}
       ORDER BY ${KEY} LIMIT ${size + 1}`,
  );
  const items = rows.slice(0, size).map(toFinding);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > size && last ? encode(last) : null };
}

const KEY = Prisma.sql`r.name, f.digest, f.vulnerability, f.package, f.installed_version`;

function matching({ vulnerability, package: name }: FindingFilter): Prisma.Sql {
  const conditions = [
    ...(vulnerability === undefined ? [] : [Prisma.sql`f.vulnerability = ${vulnerability}`]),
    ...(name === undefined ? [] : [Prisma.sql`f.package = ${name}`]),
  ];
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`FALSE`;
}

function toFinding({ severity, ...row }: FoundRow): ImageFinding {
  return { ...row, severity: severity as Severity };
}

function encode(last: ImageFinding): string {
  const key = [
    last.repository,
    last.digest,
    last.vulnerability,
    last.package,
    last.installedVersion,
  ];
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function after(cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`TRUE`;
  const key = decode(cursor);
  return Prisma.sql`(${KEY}) > (${Prisma.join(key)})`;
}

/** @throws invalid `CURSOR_INVALID` */
function decode(cursor: string): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(key) && key.length === 5 && key.every(isPlainText)) return key;
  } catch {}
  throw invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
}

function isPlainText(part: unknown): boolean {
  return typeof part === 'string' && !part.includes('\0');
}
