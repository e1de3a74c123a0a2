/**
 * Downloads the index of Java archives in the background; scans run without it until then. Failed
 * downloads are retried with a growing pause, up to the interval of database updates.
 */
import type { Logger } from '@portcullis/runtime';
import type { WorkerConfig } from '../../config.ts';
import type { ScannerService } from '../../stages/scan/scanner-service.ts';

export interface JavaIndexPorts {
  scannerService: Pick<ScannerService, 'isJavaIndexDue' | 'updateJavaIndex'>;
  longestPauseMs: number;
  searchFactor: WorkerConfig['searchFactor'];
  now(): number;
  log: Pick<Logger, 'warn'>;
}

/** The check reads a few files. */
const LOOK_MS = 15_000;
const FIRST_PAUSE_MS = 60_000;

/** Called in a loop; mostly returns at once. */
export function javaIndexKeeper({
  scannerService,
  longestPauseMs,
  searchFactor,
  now,
  log,
}: JavaIndexPorts) {
  const firstPauseMs = FIRST_PAUSE_MS * searchFactor;
  let nextAt = 0;
  let pauseMs = firstPauseMs;

  return async function keep(signal: AbortSignal): Promise<void> {
    if (now() < nextAt) return;
    nextAt = now() + LOOK_MS * searchFactor;
    if (!(await scannerService.isJavaIndexDue())) return;
    try {
      await scannerService.updateJavaIndex(signal);
      pauseMs = firstPauseMs;
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ err, againInMs: pauseMs }, 'the index of Java archives was not updated');
      nextAt = now() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
}
