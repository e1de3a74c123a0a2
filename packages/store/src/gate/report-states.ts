import { factsOf, type ScanReport } from '@portcullis/domain';
import { type Database, run } from '../database.ts';
import type { ReportStates } from '../port.ts';

interface Row {
  report: ScanReport | null;
  dbUpdatedAt: string | null;
  scannedAt: Date | null;
  lastScanFailed: boolean;
}

/** One statement reads one snapshot, so that a failure is not of before the report. */
export function createReportStates(db: Database): ReportStates {
  return {
    async find(digest) {
      const [row] = await run(
        () => db.$queryRaw<Row[]>`
          SELECT r.report, r.db_updated_at AS "dbUpdatedAt", r.scanned_at AS "scannedAt",
                 COALESCE(s.state = 'failed'
                          AND (r.scanned_at IS NULL OR s.finished_at > r.scanned_at), FALSE)
                   AS "lastScanFailed"
            FROM (VALUES (${digest}::text)) asked (digest)
            LEFT JOIN image_reports r ON r.digest = asked.digest
            LEFT JOIN LATERAL (
                   SELECT state, finished_at FROM image_scans
                    WHERE digest = asked.digest ORDER BY created_at DESC, id DESC LIMIT 1) s ON TRUE`,
      );
      if (!row) return { report: null, lastScanFailed: false };
      return { report: reportIn(row), lastScanFailed: row.lastScanFailed };
    },
  };
}

function reportIn({ report, dbUpdatedAt, scannedAt }: Row) {
  if (!report || !scannedAt) return null;
  const { name, version } = report.scanner;
  // A report that a newer database confirmed states it in the column alone.
  const facts = { ...factsOf(report), databaseAt: dbUpdatedAt };
  return { facts, scannedAt, scanner: { name, version } };
}
