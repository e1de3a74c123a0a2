/** The full reports of a job, kept beside it: the findings in other formats are made from them when somebody asks. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid, notFound, unavailable } from '@portcullis/errors';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { type Invocation, runConvert } from './cli.ts';
import { redactReport } from './redact.ts';
import { reportFile, type ScannableImage } from './select.ts';

export const REPORT_FORMATS = ['json', 'sarif', 'cyclonedx', 'spdx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface ExportedReport {
  /** A file that stays until the report's directory goes. */
  path: string;
  mediaType: string;
}

const FORMATS = {
  json: { name: 'json', mediaType: 'application/json' },
  sarif: { name: 'sarif', mediaType: 'application/sarif+json' },
  cyclonedx: { name: 'cyclonedx', mediaType: 'application/vnd.cyclonedx+json' },
  spdx: { name: 'spdx-json', mediaType: 'application/spdx+json' },
} as const satisfies Record<ReportFormat, { name: string; mediaType: string }>;

const KeptReports = z.array(
  z.object({ digest: z.string(), platform: z.string().nullable(), file: z.string() }),
);
type KeptReport = z.infer<typeof KeptReports>[number];

const LIST = 'reports.json';

export async function keepReports(
  scanDir: string,
  reportDir: string,
  images: ScannableImage[],
): Promise<void> {
  await rm(reportDir, { recursive: true, force: true });
  await mkdir(reportDir, { recursive: true, mode: 0o700 });
  const kept = images.map((image) => ({
    digest: image.digest,
    platform: image.platform,
    file: reportFile(image),
  }));
  for (const { file } of kept) await redactReport(join(scanDir, file), join(reportDir, file));
  await writeFile(join(reportDir, LIST), JSON.stringify(kept));
}

/**
 * The full report of one image in a format of the trade; of several platforms, the one asked for or the first.
 * A report that was converted once is kept.
 */
export async function exportReport(
  reportDir: string,
  format: ReportFormat,
  platform: string | null,
  open: () => Promise<Omit<Invocation, 'databaseDir'> & AsyncDisposable>,
): Promise<ExportedReport> {
  const { kept, exported } = await locate(reportDir, format, platform);
  if (!(await exists(exported.path))) await convert(kept, exported.path, FORMATS[format].name, open);
  return exported;
}

/** The same, where it needs no scanner any more; null where it has to be converted first. */
export async function findReport(
  reportDir: string,
  format: ReportFormat,
  platform: string | null,
): Promise<ExportedReport | null> {
  const { exported } = await locate(reportDir, format, platform);
  return (await exists(exported.path)) ? exported : null;
}

async function locate(
  reportDir: string,
  format: ReportFormat,
  platform: string | null,
): Promise<{ kept: string; exported: ExportedReport }> {
  const { file } = choose(await listReports(reportDir), platform);
  const kept = join(reportDir, file);
  const path = format === 'json' ? kept : `${kept}.${format}`;
  return { kept, exported: { path, mediaType: FORMATS[format].mediaType } };
}

async function convert(
  input: string,
  output: string,
  format: string,
  open: () => Promise<Omit<Invocation, 'databaseDir'> & AsyncDisposable>,
): Promise<void> {
  await using invocation = await open();
  const draft = `${output}.${crypto.randomUUID()}`;
  const result = await runConvert(invocation, { format, input, output: draft, packages: true });
  if (result.code !== 0) {
    await rm(draft, { force: true });
    throw unavailable('REPORT_NOT_CONVERTED', 'the report could not be turned into this format', {
      cause: new Error(result.stderr.slice(-2_000)),
    });
  }
  await rename(draft, output);
}

async function listReports(reportDir: string): Promise<KeptReport[]> {
  try {
    return KeptReports.parse(JSON.parse(await readFile(join(reportDir, LIST), 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function choose(reports: KeptReport[], platform: string | null): KeptReport {
  const first = reports[0];
  if (!first) throw notFound('REPORT_NOT_FOUND', 'there is no report of this image');
  if (platform === null) return first;
  const chosen = reports.find((report) => report.platform === platform);
  if (!chosen) throw invalid('PLATFORM_UNKNOWN', `there is no report for ${platform}`);
  return chosen;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
