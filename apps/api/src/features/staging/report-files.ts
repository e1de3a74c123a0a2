/** The files of a job's report: json is what the scan left, every other format is made of it when somebody asks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFormat } from '@portcullis/contract';
import { notFound, unavailable } from '@portcullis/errors';

export interface ReportFile {
  path: string;
  mediaType: string;
}

type Converted = Exclude<ReportFormat, 'json'>;

export interface ReportFilesPorts {
  /** Null where it has yet to be made. @throws not_found where no scan kept one */
  find(jobId: string, format: ReportFormat): Promise<ReportFile | null>;
  /** Has a worker make it: the scanner is there, and no request runs a program. */
  convert(jobId: string, format: Converted): Promise<void>;
  scanner: { state(): Promise<{ binary: string; message: string }> };
  /** How long a worker may take. */
  patienceMs?: number | undefined;
}

const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

/** @throws not_found, unavailable */
export function createReportFiles(ports: ReportFilesPorts) {
  const { find, convert, scanner, patienceMs = PATIENCE_MS } = ports;

  async function file(jobId: string, format: ReportFormat): Promise<ReportFile> {
    const there = await find(jobId, format);
    if (there !== null) return there;
    if (format === 'json') throw notFound('REPORT_UNKNOWN', 'This job has no scan report.');
    const { binary, message } = await scanner.state();
    if (binary !== 'ready') throw unavailable('SCANNER_UNAVAILABLE', message);
    await convert(jobId, format);
    return untilMade(jobId, format);
  }

  async function untilMade(jobId: string, format: Converted): Promise<ReportFile> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(LOOK_MS)) {
      const made = await find(jobId, format);
      if (made !== null) return made;
    }
    throw unavailable(
      'SCANNER_UNAVAILABLE',
      'No worker has made the report in this format; try again later.',
    );
  }

  return file;
}
