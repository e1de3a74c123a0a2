/**
 * Records a report that a new vulnerability database led to. Where a re-match says the same as the
 * report before, only the date of the database moves forward.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ScanReport, ScanResult } from '@portcullis/domain';
import type { Store } from '@portcullis/store';

/** Called once for each report that a new database changed, after it was recorded. */
export type ReportChanged = (
  digest: string,
  previous: ScanReport | null,
  report: ScanReport,
) => Promise<void>;

export interface RecordPorts {
  reports: Pick<Store['reports'], 'find' | 'record' | 'confirm'>;
  reportChanged: ReportChanged;
  now(): Date;
}

/** Of a scan. */
export async function recordScan(
  digest: string,
  { report, parts }: ScanResult,
  { reports, reportChanged, now }: RecordPorts,
): Promise<void> {
  const previous = (await reports.find(digest))?.report ?? null;
  await reports.record({ digest, report, scannedAt: now() }, parts);
  if (!previous || !isSameReport(previous, report)) await reportChanged(digest, previous, report);
}

/** Of a re-match. True where the report is another one than before. */
export async function recordRematch(
  digest: string,
  { report, parts }: ScanResult,
  { reports, reportChanged, now }: RecordPorts,
): Promise<boolean> {
  const previous = (await reports.find(digest))?.report ?? null;
  const { dbUpdatedAt } = report.scanner;
  if (previous && dbUpdatedAt !== null && isSameReport(previous, report)) {
    await reports.confirm([digest], previous.scanner.dbUpdatedAt, dbUpdatedAt);
    return false;
  }
  await reports.record({ digest, report, scannedAt: now() }, parts, { covers: 'images' });
  await reportChanged(digest, previous, report);
  return true;
}

/** Whatever databases they were made with. */
function isSameReport(one: ScanReport, other: ScanReport): boolean {
  return isDeepStrictEqual(undated(one), undated(other));
}

/** As the database returns it: without members that are undefined. */
function undated(report: ScanReport): unknown {
  const scanner = { ...report.scanner, dbUpdatedAt: null };
  return JSON.parse(JSON.stringify({ ...report, scanner }));
}
