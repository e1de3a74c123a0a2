/** The files of a job's report: JSON is named here from what the scan left, every other format is made by a worker. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFormat } from '@portcullis/contract';
import type { ImageName } from '@portcullis/domain';
import { isAppError, notFound, unavailable } from '@portcullis/errors';

export interface ReportFile {
  path: string;
  mediaType: string;
}

export interface ReportedImage {
  jobId: string;
  name: ImageName;
}

export interface WantedReport {
  format: ReportFormat;
  /** Null: all of them, in one document. */
  platform: string | null;
}

type Converted = Exclude<ReportFormat, 'json'>;

export interface ReportFilesPorts {
  /** Null where it has yet to be made. @throws not_found, invalid, too_large */
  find(jobId: string, wanted: WantedReport): Promise<ReportFile | null>;
  /** Of JSON alone: it needs no scanner. */
  name(jobId: string, wanted: WantedReport, image: ImageName): Promise<ReportFile>;
  /** Has a worker make it: the scanner is there, and no request runs a program. */
  convert(jobId: string, format: Converted, platform: string | null): Promise<void>;
  scanner: { state(): Promise<{ binary: string; message: string }> };
  /** How long a worker may take. */
  patienceMs?: number | undefined;
}

const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

/** @throws not_found, invalid, too_large, unavailable */
export function createReportFiles(ports: ReportFilesPorts) {
  const { convert, scanner, patienceMs = PATIENCE_MS } = ports;

  async function file({ jobId, name }: ReportedImage, wanted: WantedReport): Promise<ReportFile> {
    const made = await find(jobId, wanted);
    if (made !== null) return made;
    const { format, platform } = wanted;
    if (format === 'json') return ports.name(jobId, wanted, name);
    const { binary, message } = await scanner.state();
    if (binary !== 'ready') throw unavailable('SCANNER_UNAVAILABLE', message);
    await convert(jobId, format, platform);
    return untilMade(jobId, wanted);
  }

  async function find(jobId: string, wanted: WantedReport): Promise<ReportFile | null> {
    try {
      return await ports.find(jobId, wanted);
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'not_found') throw error;
      throw notFound('REPORT_UNKNOWN', 'This job has no scan report.');
    }
  }

  async function untilMade(jobId: string, wanted: WantedReport): Promise<ReportFile> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(LOOK_MS)) {
      const made = await find(jobId, wanted);
      if (made !== null) return made;
    }
    throw unavailable(
      'SCANNER_UNAVAILABLE',
      'No worker has made the report in this format; try again later.',
    );
  }

  return file;
}
