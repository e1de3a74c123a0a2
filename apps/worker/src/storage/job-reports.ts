/**
 * Full scan reports of jobs. A scan writes them to the job's directory; from there they are copied
 * to the database, where the api reads them and where they outlive the storage.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pinnedImageOf, type StagingJob } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { hasCode, type Logger } from '@portcullis/runtime';
import { exportNames, parseReports, REPORT_LIST, type ReportSelection } from '@portcullis/scanner';
import type { ReportFile, Store } from '@portcullis/store';
import type { ScannerService } from '../stages/scan/scanner-service.ts';
import { isJobId } from '../tasks/discard.ts';

export interface ReportKeeperPorts {
  store: Pick<Store, 'jobs' | 'jobReports'>;
  scannerService: Pick<ScannerService, 'reportDir' | 'exportReport'>;
  storageId: string;
  stagingDir: string;
  /** Scratch directory for converting reports of another storage. */
  workDir: string;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface ReportKeeper {
  /**
   * Stores the reports of a finished scan. A failure is only logged: the api asks for missing
   * reports.
   */
  keep(jobId: string): Promise<void>;
  /**
   * Stores reports that are only on this disk, because `keep` failed or its worker ended, or the
   * fact that there are none.
   */
  takeOver(jobId: string): Promise<void>;
  takeOverAll(signal: AbortSignal): Promise<void>;
  /** Removes copies that killed processes left. */
  clearLeftovers(): Promise<void>;
  /** Converts the reports to another format and stores the result. */
  convert(jobId: string, wanted: ReportSelection, signal: AbortSignal): Promise<void>;
}

const BATCH = 200;
/** Longer than any conversion. */
const LEFT_MS = 3_600_000;

export function jobReports(ports: ReportKeeperPorts): ReportKeeper {
  const { store, scannerService, log } = ports;
  const kept = store.jobReports;

  async function keep(jobId: string): Promise<void> {
    try {
      await kept.replace(jobId, await filesIn(scannerService.reportDir(jobId)));
    } catch (err) {
      log.warn({ err, job: jobId }, 'a report was not kept in the database');
    }
  }

  async function takeOver(jobId: string): Promise<void> {
    if ((await kept.existing([jobId])).size > 0) return;
    await kept.replace(jobId, await filesIn(scannerService.reportDir(jobId)));
  }

  async function takeOverAll(signal: AbortSignal): Promise<void> {
    const ids = (await readdir(ports.stagingDir)).filter(isJobId);
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const known = await kept.existing(batch);
      for (const id of batch) {
        signal.throwIfAborted();
        if (!known.has(id) && (await isThere(scannerService.reportDir(id)))) await takeOver(id);
      }
    }
  }

  async function convert(
    jobId: string,
    wanted: ReportSelection,
    signal: AbortSignal,
  ): Promise<void> {
    const job = await store.jobs.find(jobId);
    const name = job && pinnedImageOf(job);
    if (!job || !name) return;
    const { refusal } = exportNames(wanted);
    await using place = await reportDirOf(job, ports);
    try {
      const made = await scannerService.exportReport(place.dir, wanted, name, signal);
      await kept.add(jobId, {
        name: path.basename(made.path),
        content: createReadStream(made.path),
      });
    } catch (error) {
      if (!isAppError(error) || error.code !== 'REPORT_TOO_LARGE') throw error;
      await kept.add(jobId, { name: refusal, content: nothing() });
    }
  }

  async function clearLeftovers(): Promise<void> {
    const { workDir } = ports;
    for (const name of await readdir(workDir).catch(() => [])) {
      const copy = path.join(workDir, name);
      const { mtimeMs = Date.now() } = (await stat(copy).catch(() => null)) ?? {};
      if (Date.now() - mtimeMs > LEFT_MS) await rm(copy, { recursive: true, force: true });
    }
  }

  return { keep, takeOver, takeOverAll, clearLeftovers, convert };
}

/** The list of reports and the listed files; an empty list where the scan stored none. */
async function filesIn(dir: string): Promise<ReportFile[]> {
  try {
    const reports = parseReports(await readFile(path.join(dir, REPORT_LIST), 'utf8'));
    return [...reports.map(({ file }) => file), REPORT_LIST].map((name) => ({
      name,
      content: createReadStream(path.join(dir, name)),
    }));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return [{ name: REPORT_LIST, content: text('[]') }];
  }
}

async function* text(content: string): AsyncGenerator<Buffer> {
  yield Buffer.from(content);
}

async function* nothing(): AsyncGenerator<Buffer> {}

function isThere(dir: string): Promise<boolean> {
  return access(path.join(dir, REPORT_LIST)).then(
    () => true,
    () => false,
  );
}

/** The job's directory if it is on this disk, otherwise a copy from the database. */
async function reportDirOf(
  { id, storageId }: StagingJob,
  { scannerService, store, storageId: here, workDir }: ReportKeeperPorts,
): Promise<{ dir: string } & AsyncDisposable> {
  const dir = scannerService.reportDir(id);
  const stays = async () => undefined;
  if ((storageId === null || storageId === here) && (await isThere(dir)))
    return { dir, [Symbol.asyncDispose]: stays };
  await mkdir(workDir, { recursive: true });
  const copy = await mkdtemp(path.join(workDir, 'report-'));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    const names = await store.jobReports.names(id);
    for (const name of names)
      await pipeline(
        store.jobReports.read(id, name),
        createWriteStream(path.join(copy, path.basename(name))),
      );
  } catch (error) {
    await remove();
    throw error;
  }
  return { dir: copy, [Symbol.asyncDispose]: remove };
}
