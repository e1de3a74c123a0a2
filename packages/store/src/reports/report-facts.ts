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
  lastScanFailed: boolean;
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
             ${LAST_SCAN_FAILED} AS "lastScanFailed"
        FROM unnest(${[...new Set(digests)]}::text[]) asked (digest)
        LEFT JOIN image_reports r ON r.digest = asked.digest`,
  );
  const found = await Promise.all(
    rows.map(async (row) => {
      const report = await reportOf(db, row);
      return [row.digest, { report, lastScanFailed: row.lastScanFailed }] as const;
    }),
  );
  return new Map(found.filter(([, { report, lastScanFailed }]) => report || lastScanFailed));
}

/**
 * Of the newest scan on demand in the built-in registry, since another registry may claim any
 * digest; without a report, of a scan in the background too.
 */
const LAST_SCAN_FAILED = Prisma.sql`
  (r.digest IS NULL AND EXISTS (SELECT 1 FROM image_rescans failed
     WHERE failed.digest = asked.digest AND (failed.error ->> 'isFinal')::boolean))
  OR COALESCE((SELECT s.state = 'failed' AND (r.scanned_at IS NULL OR s.finished_at > r.scanned_at)
              FROM image_scans s
             WHERE s.digest = asked.digest AND s.state IN ('done', 'failed')
               AND s.registry_id = ${LOCAL_REGISTRY_ID}
             ORDER BY s.finished_at DESC, s.id DESC LIMIT 1), FALSE)`;

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
