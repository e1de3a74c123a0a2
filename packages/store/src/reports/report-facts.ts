/**
 * The inputs of standings for many digests. The facts are stored beside their report, which may be
 * megabytes.
 */
import { LOCAL_REGISTRY_ID, type ReportFacts, type SeverityCounts } from '@portcullis/domain';
import { type FoundFacts, mergedFacts } from '../authorities/merged-facts.ts';
import { foundSignatures } from '../authorities/signature-facts.ts';
import { type Database, Prisma, run } from '../database.ts';
import { firstSighting } from '../images/sightings.ts';
import type { DigestFacts } from './records.ts';

interface Row {
  digest: string;
  facts: ReportFacts | null;
  dbUpdatedAt: string | null;
  scannedAt: Date | null;
  scannerVersion: string;
  counts: SeverityCounts;
  failedScanIn: string[] | null;
  sightedAt: Date | null;
  found: FoundFacts[] | null;
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
             CASE WHEN ${NO_RESCAN_FAILED} THEN ${FAILED_SCAN_IN} END AS "failedScanIn",
             ${SIGHTED_AT} AS "sightedAt", ${SIGNATURES} AS found
        FROM unnest(${[...new Set(digests)]}::text[]) asked (digest)
        LEFT JOIN image_reports r ON r.digest = asked.digest`,
  );
  const found = rows.map((row) => {
    const { digest, failedScanIn, sightedAt, found: signed } = row;
    const known = {
      report: reportOf(row),
      failedScanIn: failedScanIn ?? ('all' as const),
      sightedAt,
    };
    return [digest, { ...known, signatures: signed && mergedFacts(signed) }] as const;
  });
  return new Map(found.filter(([, facts]) => isKnown(facts)));
}

function isKnown({ report, failedScanIn, sightedAt, signatures }: DigestFacts): boolean {
  return report !== null || failedScanIn.length > 0 || sightedAt !== null || signatures !== null;
}

const SIGNATURES = foundSignatures(Prisma.sql`asked.digest`);

const SIGHTED_AT = firstSighting(Prisma.sql`asked.digest`);

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

function reportOf(row: Row): DigestFacts['report'] {
  const { facts, scannedAt, scannerVersion, counts, dbUpdatedAt } = row;
  if (!facts || !scannedAt) return null;
  const scanner = { name: 'trivy', version: scannerVersion };
  // A report that a newer database confirmed states it in the column alone.
  return { facts: { ...facts, databaseAt: dbUpdatedAt }, counts, scannedAt, scanner };
}
