/** Runs one claimed scan on demand: finishes it, releases it for a retry, or fails it. */
import { isTransient } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { ImageScan, Store } from '@portcullis/store';
import { assertAttemptsLeft, type Backoff, pauseAfter } from '../../pipeline/failure.ts';
import { keepLease } from '../../pipeline/lease.ts';
import { failureOf, type RunFailure } from '../run-failure.ts';

export interface RunImageScanPorts {
  scans: Pick<Store['scans'], 'renew' | 'release'>;
  scan(scan: ImageScan, signal: AbortSignal): Promise<void>;
  /** Without an error the scan is done. */
  end(scan: ImageScan, error: RunFailure | null): Promise<void>;
  backoff: Backoff;
  log: Pick<Logger, 'warn'>;
}

export async function runImageScan(
  scan: ImageScan,
  ports: RunImageScanPorts,
  stopping: AbortSignal,
): Promise<void> {
  const { scans, log, backoff } = ports;
  const { id, attempts, tries } = scan;
  const fault = await faultOf(scan, ports, stopping);
  // A database fault below is not a failure of the scan: its lease ends and another worker claims
  // it.
  if (fault === null) return ports.end(scan, null);
  log.warn({ err: fault.cause, scan: id, attempts }, 'a scan on demand failed');
  if (stopping.aborted) return scans.release(id, attempts);
  const { cause } = fault;
  const pause = isTransient(cause) ? pauseAfter(cause, tries, backoff) : null;
  return pause ? scans.release(id, attempts, pause) : ports.end(scan, failureOf(cause));
}

async function faultOf(
  scan: ImageScan,
  { scans, scan: perform, backoff, log }: RunImageScanPorts,
  stopping: AbortSignal,
): Promise<{ cause: unknown } | null> {
  const renewal = keepLease(() => scans.renew(scan.id, scan.attempts), log);
  try {
    // Each claim counts as an attempt, also where the worker died during the last one.
    assertAttemptsLeft({ attempts: scan.tries }, backoff);
    await perform(scan, AbortSignal.any([stopping, renewal.lost]));
    return null;
  } catch (cause) {
    return { cause };
  } finally {
    renewal.stop();
  }
}
