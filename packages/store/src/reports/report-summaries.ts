/**
 * The inputs of verdicts for many digests. The summary is stored beside its report, which may be
 * megabytes, and names the scan it belongs to: older releases write reports without it. A missing
 * summary is computed from the report once.
 */
import {
  type ReportSummary,
  type ScanReport,
  type SeverityCounts,
  summarize,
} from '@portcullis/domain';
import { type Database, type Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { SummarisedReport } from '../port.ts';

interface Stored extends ReportSummary {
  scannedAt: string;
}

export function summaryColumn(report: ScanReport, scannedAt: Date): Prisma.InputJsonValue {
  return json({ ...summarize(report), scannedAt: scannedAt.toISOString() });
}

export async function summaries(
  db: Database,
  digests: readonly string[],
): Promise<Map<string, SummarisedReport>> {
  const where = { digest: { in: [...digests] } };
  const rows = await run(() => db.imageReport.findMany({ where, omit: { report: true } }));
  const found = new Map<string, SummarisedReport>();
  for (const row of rows) {
    const summary = storedSummary(row) ?? (await computeSummary(db, row));
    if (summary)
      found.set(row.digest, { summary, counts: countsOf(row), scannedAt: row.scannedAt });
  }
  return found;
}

type Row = Omit<Prisma.ImageReportGetPayload<object>, 'report'>;

function storedSummary({ summary, scannedAt }: Row): ReportSummary | null {
  // Contains what `summaryColumn` wrote.
  const stored = summary as unknown as Stored | null;
  return stored?.scannedAt === scannedAt.toISOString() ? stored : null;
}

/** Null where the report was removed meanwhile. */
async function computeSummary(
  db: Database,
  { digest, scannedAt }: Row,
): Promise<ReportSummary | null> {
  const row = await run(() =>
    db.imageReport.findUnique({ where: { digest }, select: { report: true, scannedAt: true } }),
  );
  if (!row) return null;
  const report = row.report as unknown as ScanReport;
  const summary = summaryColumn(report, row.scannedAt);
  await run(() => db.imageReport.updateMany({ where: { digest, scannedAt }, data: { summary } }));
  return summarize(report);
}

function countsOf({ critical, high, medium, low, unknown }: Row): SeverityCounts {
  return { CRITICAL: critical, HIGH: high, MEDIUM: medium, LOW: low, UNKNOWN: unknown };
}
