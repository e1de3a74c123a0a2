/**
 * Exports a job's full report in a format that other tools read (SARIF, CycloneDX, SPDX, JSON): for
 * all platforms of the image or one of them. Results are cached beside the reports; memory holds
 * one platform's document at a time.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PinnedImage } from '@portcullis/domain';
import { isAppError, tooLarge, unavailable } from '@portcullis/errors';
import { type Invocation, runConvert } from '../scan/cli.ts';
import { jsonDocument } from './json-report.ts';
import { mergeCycloneDx } from './merge-cyclonedx.ts';
import { mergeSarif } from './merge-sarif.ts';
import { mergeSpdx } from './merge-spdx.ts';
import { nameReport } from './name-report.ts';
import { type Document, type Labelled, labelPlatforms, type MergedImage } from './report-part.ts';
import { chooseReports, listReports, type PlatformReport } from './report-store.ts';

const REPORT_FORMATS = ['json', 'sarif', 'cyclonedx', 'spdx'] as const;
type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface ExportedReport {
  /** The file exists until the report's directory is removed. */
  path: string;
  mediaType: string;
}

export interface ReportSelection {
  format: ReportFormat;
  /** Null means all platforms. */
  platform: string | null;
}

/** Opens a Trivy process, which every format except its own JSON needs. */
type Opener = () => Promise<Omit<Invocation, 'databaseDir'> & AsyncDisposable>;

interface Format {
  name: string;
  mediaType: string;
  merge(image: MergedImage): Document;
  /** Whether a document of a single platform is rewritten, too. */
  always?: true;
}

const FORMATS: Record<Exclude<ReportFormat, 'json'>, Format> = {
  sarif: { name: 'sarif', mediaType: 'application/sarif+json', merge: mergeSarif, always: true },
  cyclonedx: {
    name: 'cyclonedx',
    mediaType: 'application/vnd.cyclonedx+json',
    merge: mergeCycloneDx,
  },
  spdx: { name: 'spdx-json', mediaType: 'application/spdx+json', merge: mergeSpdx },
};

/** Raise this when an exported report changes: older cached files are then ignored. */
const SCHEME = 3;

/**
 * Larger documents of a platform are not merged: parsed, they take several times as much memory.
 */
export const MAX_MERGED_BYTES = 64 * 1024 * 1024;

/**
 * @throws not_found `REPORT_NOT_FOUND`, invalid `PLATFORM_UNKNOWN`, too_large `REPORT_TOO_LARGE`,
 * unavailable
 */
export async function exportReport(
  reportDir: string,
  wanted: ReportSelection,
  name: PinnedImage,
  open: Opener,
): Promise<ExportedReport> {
  const found = await locate(reportDir, wanted);
  if (await isExported(found)) return found.exported;
  // On the file system of the reports, so that the result can be renamed.
  const work = await mkdtemp(join(reportDir, 'export-'));
  try {
    const draft = join(work, 'draft');
    await make({ ...found, name, work, open, format: wanted.format }, draft);
    await rename(draft, found.exported.path);
  } catch (error) {
    if (isAppError(error) && error.code === TOO_LARGE)
      await writeFile(found.refusal, '', { mode: 0o600 });
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return found.exported;
}

interface Located {
  reports: (PlatformReport & Labelled)[];
  kept: string;
  exported: ExportedReport;
  /** An empty file that records that the report is too large to be made. */
  refusal: string;
}

async function locate(reportDir: string, { format, platform }: ReportSelection): Promise<Located> {
  const reports = chooseReports(labelPlatforms(await listReports(reportDir)), platform);
  const { file, refusal, mediaType } = exportNames({ format, platform });
  const exported = { path: join(reportDir, file), mediaType };
  return { reports, kept: reportDir, exported, refusal: join(reportDir, refusal) };
}

/**
 * File names of an exported report: the report, and the empty file that records that it is too
 * large.
 */
export function exportNames({ format, platform }: ReportSelection) {
  const file = `${fileOf(platform)}.${SCHEME}.${format}`;
  const mediaType = format === 'json' ? 'application/json' : FORMATS[format].mediaType;
  return { file, refusal: `${file}.too-large`, mediaType };
}

/**
 * An index's author chooses the names of its platforms: no two may share a file, whatever
 * characters they contain.
 */
function fileOf(platform: string | null): string {
  return platform === null
    ? 'all'
    : `platform-${createHash('sha256').update(platform).digest('hex')}`;
}

async function isExported({ exported, refusal }: Located): Promise<boolean> {
  if (await exists(exported.path)) return true;
  if (await exists(refusal)) throw tooLargeToMerge();
  return false;
}

interface Making extends Located {
  name: PinnedImage;
  format: ReportFormat;
  work: string;
  open: Opener;
}

async function make(making: Making, to: string): Promise<void> {
  const { name, reports, format, work } = making;
  if (format === 'json') {
    const open = (file: string) => createReadStream(join(making.kept, file));
    return pipeline(jsonDocument(reports, name, open), createWriteStream(to, { mode: 0o600 }));
  }
  for (const report of reports) {
    const { digest: manifest, config } = report;
    await nameReport(join(making.kept, report.file), join(work, report.file), {
      name,
      manifest,
      config,
    });
  }
  await convertAll(making, FORMATS[format].name);
  await writeMerged(making, FORMATS[format], to);
}

async function convertAll({ reports, work, open }: Making, format: string): Promise<void> {
  await using invocation = await open();
  for (const { file } of reports) {
    const [input, output] = [join(work, file), join(work, `${file}.converted`)];
    const result = await runConvert(invocation, { format, input, output, packages: true });
    if (result.code === 0) continue;
    throw unavailable('REPORT_NOT_CONVERTED', 'the report could not be turned into this format', {
      cause: new Error(result.stderr.slice(-2_000)),
    });
  }
}

async function writeMerged(
  { reports, name, work }: Making,
  format: Format,
  to: string,
): Promise<void> {
  const files = reports.map((report) => ({
    ...report,
    path: join(work, `${report.file}.converted`),
  }));
  const [only, ...others] = files;
  const isOne = only !== undefined && others.length === 0;
  const fits = (await Promise.all(files.map(({ path }) => sizeOf(path)))).every(
    (size) => size <= MAX_MERGED_BYTES,
  );
  if (isOne && !(format.always && fits)) return rename(only.path, to);
  if (!fits) throw tooLargeToMerge();
  const parts = files.map(({ label, digest, path }) => ({
    label,
    digest,
    load: async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8')),
  }));
  await pipeline(
    Readable.from(format.merge({ name, parts })),
    createWriteStream(to, { mode: 0o600 }),
  );
}

const TOO_LARGE = 'REPORT_TOO_LARGE';

export function tooLargeToMerge(): Error {
  const size = MAX_MERGED_BYTES / 1024 / 1024;
  return tooLarge(
    TOO_LARGE,
    `In this format the report of one platform is over ${size} MiB: ask for one platform at a time, or for json.`,
  );
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
