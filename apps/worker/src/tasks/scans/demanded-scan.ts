/** One scan on demand that a worker has claimed: done, given back for another try, or failed. */
import { isAppError } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { ImageScan, ImageScans } from '@portcullis/store';
import { type Backoff, mayPass, pauseAfter } from '../../pipeline/failure.ts';
import { keepLease } from '../../pipeline/lease.ts';

export interface DemandedScanPorts {
  scans: Pick<ImageScans, 'renew' | 'release'>;
  scan(scan: ImageScan, signal: AbortSignal): Promise<void>;
  /** Null: it is done. */
  end(scan: ImageScan, error: Failure | null): Promise<void>;
  backoff: Backoff;
  log: Pick<Logger, 'warn'>;
}

export type Failure = { code: string; message: string };

export async function demandedScan(
  scan: ImageScan,
  ports: DemandedScanPorts,
  stopping: AbortSignal,
): Promise<void> {
  const { scans, log, backoff } = ports;
  const { id, attempts, tries } = scan;
  const fault = await faultOf(scan, ports, stopping);
  // A fault of the database in what follows is none of the scan: its lease ends, and a worker takes it again.
  if (fault === null) return ports.end(scan, null);
  log.warn({ err: fault.cause, scan: id, attempts }, 'a scan on demand failed');
  if (stopping.aborted) return scans.release(id, attempts);
  const { cause } = fault;
  const pause = isAppError(cause) && mayPass(cause) ? pauseAfter(cause, tries, backoff) : null;
  return pause ? scans.release(id, attempts, pause) : ports.end(scan, failureOf(cause, stopping));
}

async function faultOf(
  scan: ImageScan,
  { scans, scan: perform }: DemandedScanPorts,
  stopping: AbortSignal,
): Promise<{ cause: unknown } | null> {
  const renewal = keepLease(() => scans.renew(scan.id, scan.attempts));
  try {
    await perform(scan, AbortSignal.any([stopping, renewal.lost]));
    return null;
  } catch (cause) {
    return { cause };
  } finally {
    renewal.stop();
  }
}

export function failureOf(cause: unknown, stopping: AbortSignal): Failure {
  if (stopping.aborted)
    return { code: 'WORKER_STOPPED', message: 'the worker was stopped before it was done' };
  if (isAppError(cause)) return { code: cause.code, message: cause.message };
  return { code: 'INTERNAL', message: 'an internal fault; the log of the worker tells more' };
}
