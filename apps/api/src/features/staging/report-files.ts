/**
 * The files of a job's report: JSON is made here from stored reports; a worker converts other
 * formats.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFormat, ReportPlatform } from '@portcullis/contract';
import type { PinnedImage, StagingJob } from '@portcullis/domain';
import { notFound, unavailable } from '@portcullis/errors';
import {
  exportNames,
  jsonReport,
  type PlatformReport,
  parseReports,
  REPORT_LIST,
  tooLargeToMerge,
} from '@portcullis/scanner';
import type { Store } from '@portcullis/store';

export interface ReportDownload {
  content: AsyncIterable<Buffer>;
  mediaType: string;
}

export interface RequestedReport {
  format: ScanFormat;
  /** Null: all platforms in one document. */
  platform: string | null;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}

/** Formats that are made from the scanner's report. */
export type ScanFormat = Exclude<ReportFormat, 'junit'>;
type Converted = Exclude<ScanFormat, 'json'>;
type ReportedJob = Pick<StagingJob, 'id' | 'storageId'>;

export interface ReportFilesPorts {
  kept: Pick<Store['jobReports'], 'names' | 'read'>;
  /** Lets a worker, which has the scanner, convert the report. */
  convert(jobId: string, format: Converted, platform: string | null): Promise<void>;
  /** Lets a worker store a report that is only on the worker's disk, because storing it failed. */
  takeOver(job: ReportedJob): Promise<void>;
  scanner: { state(): Promise<{ binary: string; message: string }> };
  /** How long a worker may take. */
  timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 60_000;
/** For reports that are only on a worker's disk. */
const TAKE_OVER_MS = 10_000;
const LOOK_MS = 100;

export function createReportFiles(ports: ReportFilesPorts) {
  const { kept, convert, takeOver, scanner, timeoutMs = TIMEOUT_MS } = ports;

  /** @throws not_found, invalid, too_large, unavailable */
  async function file(
    job: ReportedJob,
    name: PinnedImage,
    wanted: RequestedReport,
  ): Promise<ReportDownload> {
    const { format, platform, signal } = wanted;
    const reports = await listPlatforms(job, signal);
    if (reports.length === 0) throw notFound('REPORT_UNKNOWN', 'This job has no scan report.');
    const { mediaType } = exportNames(wanted);
    const open = (each: string) => kept.read(job.id, each);
    // Needed for every format: it lists the platforms.
    const content = jsonReport(reports, platform, name, open);
    if (format === 'json') return { content, mediaType };
    const made = await find(job.id, wanted);
    if (made !== null) return made;
    const { binary, message } = await scanner.state();
    if (binary !== 'ready') throw unavailable('SCANNER_UNAVAILABLE', message);
    await convert(job.id, format, platform);
    return untilMade(job.id, wanted);
  }

  async function platforms(job: ReportedJob): Promise<ReportPlatform[]> {
    return (await list(job.id)).map(({ platform, digest }) => ({ platform, digest }));
  }

  async function list(jobId: string): Promise<PlatformReport[]> {
    const list = await text(kept.read(jobId, REPORT_LIST));
    return list === '' ? [] : parseReports(list);
  }

  async function listPlatforms(job: ReportedJob, signal: AbortSignal): Promise<PlatformReport[]> {
    if ((await kept.names(job.id)).size > 0) return list(job.id);
    await takeOver(job);
    const limitMs = Math.min(timeoutMs, TAKE_OVER_MS);
    for (const end = Date.now() + limitMs; Date.now() < end; await nextLook(signal))
      if ((await kept.names(job.id)).size > 0) break;
    return list(job.id);
  }

  async function find(jobId: string, wanted: RequestedReport): Promise<ReportDownload | null> {
    const names = await kept.names(jobId);
    const { file: made, refusal, mediaType } = exportNames(wanted);
    if (names.has(made)) return { content: kept.read(jobId, made), mediaType };
    if (names.has(refusal)) throw tooLargeToMerge();
    return null;
  }

  async function untilMade(jobId: string, wanted: RequestedReport): Promise<ReportDownload> {
    for (const end = Date.now() + timeoutMs; Date.now() < end; await nextLook(wanted.signal)) {
      const made = await find(jobId, wanted);
      if (made !== null) return made;
    }
    throw unavailable(
      'SCANNER_UNAVAILABLE',
      'No worker has made the report in this format; try again later.',
    );
  }

  return { file, platforms };
}

/** @throws the reason of `signal` */
async function nextLook(signal: AbortSignal): Promise<void> {
  await sleep(LOOK_MS);
  signal.throwIfAborted();
}
