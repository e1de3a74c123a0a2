/**
 * The inputs of standings for many digests. The facts are stored beside their report, which may be
 * megabytes, and name the scan they belong to: older releases write reports without them. Missing
 * facts are computed from the report once.
 */
import {
  factsOf,
  LOCAL_REGISTRY_ID,
  type ReportFacts,
  type ScanReport,
  type SeverityCounts,
} from '@portcullis/domain';
import { type Database, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { DigestFacts } from '../port.ts';

interface Stored extends ReportFacts {
  scannedAt: string;
}

export function factsColumn(report: ScanReport, scannedAt: Date): Prisma.InputJsonValue {
  return json({ ...factsOf(report), scannedAt: scannedAt.toISOString() });
}

interface Row {
  digest: string;
  facts: Stored | null;
  dbUpdatedAt: string | null;
  scannedAt: Date | null;
  scannerVersion: string;
  counts: SeverityCounts;
  failedScanIn: string[] | null;
}

/** One statement reads one snapshot, so that a failure is not of before the report. */
export async function reportFacts(
  db: Database,
  digests: readonly string[],
): Promise<Map<string, DigestFacts>> {
  const rows = await run(
    () => db.$queryRaw<Row[]>`
      SELECT asked.digest, r.facts, r.db_updated_at AS "dbUpdatedAt", r.scanned_at AS "scannedAt",
             r.scanner_version AS "scannerVersion",
             json_build_object('CRITICAL', r.critical, 'HIGH', r.high, 'MEDIUM', r.medium,
                               'LOW', r.low, 'UNKNOWN', r.unknown) AS counts,
             CASE WHEN ${NO_RESCAN_FAILED} THEN ${FAILED_SCAN_IN} END AS "failedScanIn"
        FROM unnest(${[...new Set(digests)]}::text[]) asked (digest)
        LEFT JOIN image_reports r ON r.digest = asked.digest`,
  );
  const found = await Promise.all(
    rows.map(async (row) => {
      const report = await reportOf(db, row);
      return [row.digest, { report, failedScanIn: row.failedScanIn ?? 'all' }] as const;
    }),
  );
  return new Map(found.filter(([, { report, failedScanIn }]) => report || failedScanIn.length > 0));
}

const NO_RESCAN_FAILED = Prisma.sql`
  (r.digest IS NOT NULL OR NOT EXISTS (SELECT 1 FROM image_rescans failed
     WHERE failed.digest = asked.digest AND (failed.error ->> 'isFinal')::boolean))`;

/**
 * Of the newest scan on demand in each repository of the built-in registry. Another registry may
 * claim any digest, and who may push to one folder must not condemn the images of another.
 */
const FAILED_SCAN_IN = Prisma.sql`
  ARRAY(SELECT newest.repository
          FROM (SELECT DISTINCT ON (s.repository) s.repository, s.state, s.finished_at
                  FROM image_scans s
                 WHERE s.digest = asked.digest AND s.state IN ('done', 'failed')
                   AND s.registry_id = ${LOCAL_REGISTRY_ID}
                 ORDER BY s.repository, s.finished_at DESC, s.id DESC) newest
         WHERE newest.state = 'failed'
           AND (r.scanned_at IS NULL OR newest.finished_at > r.scanned_at)
         ORDER BY newest.repository)`;

async function reportOf(db: Database, row: Row): Promise<DigestFacts['report']> {
  const { scannedAt, scannerVersion, counts, dbUpdatedAt } = row;
  if (!scannedAt) return null;
  const facts = storedFacts(row) ?? (await computeFacts(db, row.digest, scannedAt));
  if (!facts) return null;
  const scanner = { name: 'trivy', version: scannerVersion };
  // A report that a newer database confirmed states it in the column alone.
  return { facts: { ...facts, databaseAt: dbUpdatedAt }, counts, scannedAt, scanner };
}

function storedFacts({ facts, scannedAt }: Row): ReportFacts | null {
  if (!facts || facts.scannedAt !== scannedAt?.toISOString()) return null;
  const { scannedAt: _, ...rest } = facts;
  return rest;
}

/** Null where the report was replaced or removed meanwhile. */
async function computeFacts(
  db: Database,
  digest: string,
  scannedAt: Date,
): Promise<ReportFacts | null> {
  const where = { digest, scannedAt };
  const row = await run(() => db.imageReport.findFirst({ where, select: { report: true } }));
  if (!row) return null;
  const report = row.report as unknown as ScanReport;
  const facts = factsColumn(report, scannedAt);
  await run(() => db.imageReport.updateMany({ where, data: { facts } }));
  return factsOf(report);
}
