/**
 * Scans tagged images again after an update of the database, where a re-match (rematches.ts) is not
 * possible: one at a time in the whole installation, and only while no other scan is queued or
 * running.
 */

import { isAppError, isTransient } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { Rescan, ScanData, Store } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';
import { keepLease } from '../../pipeline/lease.ts';

export interface RescansPorts {
  rescans: Pick<Store['rescans'], 'claim' | 'renew' | 'finish' | 'fail' | 'release'>;
  /** The databases that a scan would use now; null where no scan can run. */
  scanData(): Promise<ScanData | null>;
  /** The profile of images that are left to the re-match; null where none can run. */
  rematched(): Promise<string | null>;
  scan(rescan: Rescan, signal: AbortSignal): Promise<void>;
  searchFactor: WorkerConfig['searchFactor'];
  now(): number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Pause when nothing is due, because the query reads all tags. */
const IDLE_MS = 15_000;

/** Called in a loop. True where it scanned one image and the next may follow at once. */
export function rescanner({
  rescans,
  scanData,
  rematched,
  scan,
  searchFactor,
  now,
  log,
}: RescansPorts) {
  let nextAt = 0;

  async function take(): Promise<Rescan | null> {
    const data = await scanData();
    return data && rescans.claim(data, await rematched());
  }

  return async function next(signal: AbortSignal): Promise<boolean> {
    if (now() < nextAt) return false;
    const rescan = await take();
    if (rescan) await runRescan(rescan, { rescans, scan, log }, signal);
    else nextAt = now() + IDLE_MS * searchFactor;
    return rescan !== null;
  };
}

/** Scans one claimed image: finishes it, releases it, or fails it. */
export async function runRescan(
  rescan: Rescan,
  { rescans, scan, log }: Pick<RescansPorts, 'rescans' | 'scan' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const renewal = keepLease(() => rescans.renew(rescan), log);
  try {
    await scan(rescan, AbortSignal.any([signal, renewal.lost]));
    await rescans.finish(rescan);
  } catch (err) {
    if (signal.aborted) return await rescans.release(rescan);
    log.warn(
      { err, digest: rescan.digest, attempts: rescan.attempts },
      'an image was not scanned in the background',
    );
    const { code, message } = isAppError(err)
      ? err
      : { code: 'INTERNAL', message: 'an internal fault' };
    await rescans.fail(rescan, { code, message }, isTransient(err));
  } finally {
    renewal.stop();
  }
}
